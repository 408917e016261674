import { Alert, Button } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { api } from '../../api/client';
import { Loading } from '../../base/Loading';
import { PageLink } from '../../base/PageLink';
import { ReasonedButton } from '../../base/ReasonedButton';
import { ChangeDialog } from '../../resources/action/ChangeDialog';
import type { OverviewProps } from '../../resources/presentation';
import { State } from '../../resources/State';
import { useDisabledReason, useMayRead } from '../../session/useSession';

const WEB = 'cluster/web';
const DAY = 86_400_000;
/** Days before its end in which a certificate wants to be replaced. */
const SOON = 30;

/** Whether a certificate is valid, whether the array serves with it, and how it comes to do so. */
export default function CertificateOverview({ record }: OverviewProps) {
  const { t } = useTranslation();
  const reason = useDisabledReason();
  const mayRead = useMayRead();
  const [isOpen, setIsOpen] = useState(false);
  const [now] = useState(Date.now);
  const [isWatching, setIsWatching] = useState(false);
  const uuid = String(record['uuid']);
  const name = String(record['name']);
  const { data: web, isLoading } = useQuery({
    queryKey: ['web'],
    meta: { shows: [WEB] },
    enabled: mayRead(WEB),
    queryFn: async () =>
      (await api.GET('/cluster/web', { params: { query: { fields: 'certificate' } } })).data!,
    // The web server starts anew with it; `send` waits until it answers.
    refetchInterval: isWatching ? 2000 : false,
  });
  const serves = web?.certificate?.uuid === uuid;
  const daysLeft = Math.floor((Date.parse(String(record['expiry_time'])) - now) / DAY);
  const state = daysLeft < 0 ? 'expired' : daysLeft < SOON ? 'warning' : 'valid';

  return (
    <section className="card" aria-label={t('Use')}>
      <h2>{t('Use')}</h2>
      <p>
        <State value={state} />{' '}
        {daysLeft < 0
          ? t('It has expired.')
          : t('It is valid for {{days}} days more.', { days: daysLeft })}
      </p>
      {isLoading && <Loading isLine />}
      {record['type'] === 'server' && web && (
        <p>
          {serves
            ? t('The web interface and the API are served with it.')
            : t('It is not in use. Another certificate serves the web interface and the API.')}{' '}
          {!serves && web.certificate?.uuid && (
            <PageLink to={`/security/certificates/${web.certificate.uuid}`}>
              {web.certificate.name}
            </PageLink>
          )}
        </p>
      )}
      {isWatching && (
        <Alert
          component="h3"
          isInline
          variant={serves ? 'success' : 'info'}
          title={
            serves
              ? t('The web server answers with the new certificate.')
              : t('The web server takes the new certificate …')
          }
          actionLinks={
            <Button variant="link" isInline onClick={() => location.reload()}>
              {t('Load this page anew')}
            </Button>
          }
        >
          {t(
            'If this page does not go on, your browser does not trust the certificate yet: load the page anew, and compare the fingerprint before you go on.',
          )}
        </Alert>
      )}
      {record['type'] === 'server' && !serves && (
        <ReasonedButton
          variant="secondary"
          reason={daysLeft < 0 ? t('It has expired.') : reason('PATCH', WEB)}
          onClick={() => setIsOpen(true)}
        >
          {t('Serve the web interface with it …')}
        </ReasonedButton>
      )}
      {isOpen && (
        <ChangeDialog
          title={t('Serve the web interface with {{name}}', { name })}
          resource={WEB}
          isDanger
          request={() => ({ method: 'PATCH', path: WEB, body: { certificate: { name, uuid } } })}
          onClose={(done) => {
            setIsOpen(false);
            if (done) setIsWatching(true);
          }}
        >
          <p>
            {t(
              'Browsers and programs that do not trust it refuse to talk to the array. Hosts are not affected.',
            )}
          </p>
        </ChangeDialog>
      )}
    </section>
  );
}
