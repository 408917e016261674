/**
 * Logins by the identity provider.
 *
 * They begin at the array, which sends the browser to the provider; that sends it back to CALLBACK
 * with a code, or why there is none. These parameters are removed from the address before anything
 * else, so that they stay in no history.
 */
import { t } from 'i18next';

/** The page that the provider sends browsers back to, as the array has it (api/sanstone/model/oidc.py). */
const CALLBACK = '/login/oidc';

/** The public part of the provider's settings. */
export interface Provider {
  provider: string;
  login_url: string;
}

export interface Grant {
  code: string;
  state: string;
}

/** Return the provider, or nothing: the login page does without. */
export async function findProvider(): Promise<Provider | undefined> {
  const provider = await fetch('/api/security/session/oidc', {
    headers: { Accept: 'application/json' },
  })
    .then((response) => response.json() as Promise<{ enabled?: boolean } & Provider>)
    .catch(() => undefined);
  return provider?.enabled ? provider : undefined;
}

/** Remove the provider's parameters from the address, and return them; why there is no code is a text. */
export function takeGrant(): Grant | string | undefined {
  if (location.pathname !== CALLBACK) return undefined;
  const parameters = new URLSearchParams(location.search);
  history.replaceState(null, '', '/');
  const [code, state, error] = ['code', 'state', 'error'].map((name) => parameters.get(name) ?? '');
  if (code && state) return { code, state };
  if (error === 'access_denied') return t('The identity provider has not let you in.');
  // It may be anybody's link that leads here: it has no sentence to say.
  const reason = /^[a-z_]{1,40}$/.test(error!) ? error! : '–';
  return t('The identity provider has refused the login: {{reason}}', { reason });
}
