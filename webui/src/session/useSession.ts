import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';

import type { Method } from '../api/method';
import { type Session, state } from '../api/session';
import { useStore } from '../base/store';
import { allowed, disabledReason } from './permissions';

/** Who is logged in. Only below SessionGate. */
export function useSession(): Session {
  const now = useStore(state);
  if (now.kind !== 'in' && now.kind !== 'over') throw new Error('Nobody is logged in.');
  return now.session;
}

/** Return the function that returns why this account may not do something. */
export function useDisabledReason(): (method: Method, path: string) => string | undefined {
  const { t } = useTranslation();
  const { account, privileges } = useSession();
  const role = account.role.name;
  return useCallback(
    (method, path) => disabledReason(t, privileges, role, method, path),
    [t, privileges, role],
  );
}

export function useMayRead(): (path: string) => boolean {
  const { privileges } = useSession();
  return useCallback((path) => allowed(privileges, path).includes('GET'), [privileges]);
}
