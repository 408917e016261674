import { Alert } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { Loading } from '../../base/Loading';
import { ReasonedButton } from '../../base/ReasonedButton';
import { formatTime } from '../../base/times';
import { useChange } from '../../changes/change';
import { useDeclarations } from '../../declarations/declarations';
import { locate } from '../../declarations/place';
import { DeleteDialog } from '../../resources/action/DeleteDialog';
import { useDisabledReason } from '../../session/useSession';
import { Changes } from './Changes';
import { imagesQuery, packagesQuery, SOFTWARE, type Target } from './software';

interface Props {
  isBusy: boolean;
  /** The release that runs. */
  running: string;
  onInstall: (target: Target) => void;
}

const PACKAGES = `${SOFTWARE}/packages`;

/** The packages on the array, and the actions on each. */
export function Packages({ isBusy, running, onInstall }: Props) {
  const { t, i18n } = useTranslation();
  const reason = useDisabledReason();
  const change = useChange();
  const declarations = useDeclarations();
  const { data: packages, isPending } = useQuery(packagesQuery);
  const { data: images = [] } = useQuery(imagesQuery);
  const [error, setError] = useState('');
  const [deleting, setDeleting] = useState<string>();
  const place = locate(declarations, `/${PACKAGES}`);
  const busy = isBusy ? t('An update is under way.') : undefined;

  const isHeld = (version: string) =>
    images.some((image) => image.version === version && image.can_go_back);

  async function validate(version: string) {
    setError('');
    try {
      await change({
        method: 'PATCH',
        path: SOFTWARE,
        query: { validate_only: true },
        body: { version },
        text: t('Check package {{version}}', { version }),
      });
    } catch (refused) {
      setError((refused as Error).message);
    }
  }

  return (
    <section className="card" aria-label={t('Packages')}>
      <h2>{t('Packages')}</h2>
      {error && <Alert component="h3" isInline variant="danger" title={error} role="alert" />}
      {isPending && <Loading isLine />}
      {packages?.length === 0 && (
        <p className="quiet">{t('No package is on the array. Fetch or upload one.')}</p>
      )}
      <ul className="packages">
        {packages?.map(({ version = '', create_time, changes = [] }) => (
          <li key={version}>
            <strong>{t('Release {{version}}', { version })}</strong>
            <span className="quiet">
              {version === running && t('runs now')}{' '}
              {create_time && formatTime(create_time, i18n.language)}
            </span>
            <span className="packages-actions">
              <ReasonedButton
                variant="link"
                reason={busy ?? reason('PATCH', SOFTWARE)}
                onClick={() => void validate(version)}
              >
                {t('Check')}
              </ReasonedButton>
              <ReasonedButton
                variant="secondary"
                reason={
                  (version === running ? t('This release runs already.') : busy) ??
                  reason('PATCH', SOFTWARE)
                }
                onClick={() => onInstall({ version, asItIs: isHeld(version) })}
              >
                {t('Install and restart …')}
              </ReasonedButton>
              <ReasonedButton
                variant="link"
                isDanger
                reason={busy ?? reason('DELETE', `${PACKAGES}/${version}`)}
                onClick={() => setDeleting(version)}
              >
                {t('Delete')}
              </ReasonedButton>
            </span>
            <Changes releases={changes} />
          </li>
        ))}
      </ul>
      {deleting && place && (
        <DeleteDialog
          place={place}
          records={[{ version: deleting, name: deleting }]}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </section>
  );
}
