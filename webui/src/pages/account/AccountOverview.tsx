import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';

import { call, type Json, type Page } from '../../api/client';
import { useGo } from '../../base/address';
import { Loading } from '../../base/Loading';
import { PageLink } from '../../base/PageLink';
import { ReasonedButton } from '../../base/ReasonedButton';
import type { OverviewProps } from '../../resources/presentation';
import { State } from '../../resources/State';
import { useDisabledReason, useMayRead } from '../../session/useSession';

const PROFILES = 'security/login/totps';

interface Application {
  application: string;
  second_authentication_method?: string;
  is_ns_switch_group?: boolean;
}

/** Whether an account needs a code besides, and its TOTP profile. */
export default function AccountOverview({ record }: OverviewProps) {
  const { t } = useTranslation();
  const go = useGo();
  const reason = useDisabledReason()('POST', PROFILES);
  const mayRead = useMayRead()(PROFILES);
  const name = String(record['name']);
  const owner = (record['owner'] ?? {}) as { name?: string; uuid?: string };
  const applications = (record['applications'] ?? []) as Application[];
  const asking = applications
    .filter((each) => each.second_authentication_method === 'totp')
    .map((each) => each.application);
  const { data: profile, isLoading } = useQuery({
    queryKey: ['totp', owner.uuid, name],
    meta: { shows: [PROFILES] },
    enabled: mayRead && Boolean(owner.uuid),
    queryFn: async () => {
      const query = { 'owner.uuid': owner.uuid, 'account.name': name, fields: 'enabled' };
      return (await call<Page>('GET', PROFILES, query)).records[0] ?? (null as Json | null);
    },
  });
  // The members of a group have none.
  if (!mayRead || applications.some((each) => each.is_ns_switch_group)) return null;
  const lacks = asking.length > 0 && profile !== undefined && !profile?.['enabled'];
  const page = `/${PROFILES}/${owner.uuid}/${encodeURIComponent(name)}`;
  const form = new URLSearchParams({ 'account.name': name, back: `/security/accounts` });
  if (record['scope'] === 'svm' && owner.name) form.set('owner', owner.name);

  return (
    <section className="card" aria-label={t('Second factor')}>
      <h2>{t('Second factor')}</h2>
      <p>
        {asking.length
          ? t('Logins need a verification code after the password or key: {{applications}}.', {
              applications: asking.join(', '),
            })
          : t(
              'Logins need no verification code. To have them need one, edit the applications of the account.',
            )}
      </p>
      {isLoading && <Loading isLine />}
      {lacks && (
        <p>
          <State value="warning" />{' '}
          {t('It cannot log in there: it has no TOTP profile that is enabled.')}
        </p>
      )}
      {profile && (
        <p>
          <PageLink to={page}>{t('TOTP profile')}</PageLink>{' '}
          <State value={profile['enabled'] ? 'enabled' : 'disabled'} />
        </p>
      )}
      {profile === null && (
        <ReasonedButton
          variant="secondary"
          reason={reason}
          onClick={() => go(`/${PROFILES}/~new?${form}`)}
        >
          {t('Make a TOTP profile …')}
        </ReasonedButton>
      )}
    </section>
  );
}
