import LightbulbIcon from '@patternfly/react-icons/dist/esm/icons/lightbulb-icon';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { tell } from '../../base/notice';
import { ReasonedButton } from '../../base/ReasonedButton';
import { useChange } from '../../changes/change';
import { useDisabledReason } from '../../session/useSession';
import type { Disk } from './shelves';

interface Props {
  disk: Disk;
  /** Among many: an icon alone. */
  isSmall?: boolean;
}

/** Switches a disk's locate light. It is pressed while the light is on. */
export function LocateButton({ disk, isSmall = false }: Props) {
  const { t } = useTranslation();
  const change = useChange();
  const reason = useDisabledReason();
  const [busy, setBusy] = useState(false);
  const { name = '', location_led: light } = disk;
  const path = `storage/disks/${encodeURIComponent(name)}`;
  const isLit = light === 'on';
  const why = light === undefined ? t('This disk has no locate light.') : reason('PATCH', path);

  async function toggle() {
    setBusy(true);
    const text = isLit
      ? t('Locate light of disk {{name}}: off', { name })
      : t('Locate light of disk {{name}}: on', { name });
    const body = { location_led: isLit ? 'off' : 'on' };
    try {
      await change({ method: 'PATCH', path, body, text });
    } catch (refused) {
      tell('danger', text, (refused as Error).message);
    }
    setBusy(false);
  }

  return (
    <ReasonedButton
      variant={isSmall ? 'plain' : 'secondary'}
      size="sm"
      className={isLit ? 'locate is-lit' : 'locate'}
      icon={<LightbulbIcon />}
      aria-pressed={isLit}
      aria-label={isSmall ? t('Locate disk {{name}}', { name }) : undefined!}
      title={isSmall && !why ? t('Locate') : undefined!}
      isLoading={busy && !isSmall}
      isDisabled={busy}
      reason={why}
      onClick={() => void toggle()}
    >
      {!isSmall && t('Locate')}
    </ReasonedButton>
  );
}
