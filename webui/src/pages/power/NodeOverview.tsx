import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { ReasonedButton } from '../../base/ReasonedButton';
import { ChangeDialog } from '../../resources/action/ChangeDialog';
import type { OverviewProps } from '../../resources/presentation';
import { useDisabledReason } from '../../session/useSession';

type Action = 'reboot' | 'shutdown';

/** Restarting the node and shutting it down, for who knows which hosts that cuts off. */
export default function NodeOverview({ place, record }: OverviewProps) {
  const { t } = useTranslation();
  const reason = useDisabledReason();
  const [chosen, setChosen] = useState<Action>();
  const name = String(record['name']);
  const texts: Record<Action, string> = {
    reboot: t('Restart node {{name}}', { name }),
    shutdown: t('Shut node {{name}} down', { name }),
  };
  const why = reason('PATCH', place.api);
  return (
    <section className="card" aria-label={t('Power')}>
      <h2>{t('Power')}</h2>
      <div className="buttons">
        <ReasonedButton variant="secondary" reason={why} onClick={() => setChosen('reboot')}>
          {t('Restart …')}
        </ReasonedButton>
        <ReasonedButton
          variant="secondary"
          isDanger
          reason={why}
          onClick={() => setChosen('shutdown')}
        >
          {t('Shut down …')}
        </ReasonedButton>
      </div>
      {chosen && (
        <ChangeDialog
          title={texts[chosen]}
          resource={place.resource.path}
          keys={record}
          toType={{ text: name, label: t('To go on, type {{expected}}', { expected: name }) }}
          isDanger
          request={() => ({
            method: 'PATCH',
            path: place.api,
            query: { action: chosen },
            body: {},
          })}
          onClose={() => setChosen(undefined)}
        >
          <p>
            {chosen === 'reboot'
              ? t('Hosts have no path to the array until it serves again.')
              : t('Hosts have no path to the array until somebody switches it on.')}
          </p>
        </ChangeDialog>
      )}
    </section>
  );
}
