/**
 * The privileges of an account: the rules of the array's roles, applied beforehand.
 *
 * The array decides; this only saves a person an attempt that would be refused.
 */
import type { TFunction } from 'i18next';

import type { Method } from '../api/method';
import type { Privilege } from '../api/session';

const METHODS: Record<string, readonly Method[]> = {
  none: [],
  readonly: ['GET'],
  read_create: ['GET', 'POST'],
  read_modify: ['GET', 'PATCH'],
  read_create_modify: ['GET', 'POST', 'PATCH'],
  all: ['GET', 'POST', 'PATCH', 'DELETE'],
};

const parts = (path: string) => path.split('/').filter(Boolean);

function leads(pattern: string[], path: string[]): boolean {
  return (
    pattern.length <= path.length &&
    pattern.every((part, index) => part === '*' || part === path[index])
  );
}

/** The longest path that leads to `path` decides, then the plainest, then the strictest. */
export function allowed(privileges: readonly Privilege[], path: string): readonly Method[] {
  const sought = parts(`/api/${path}`);
  const [best] = privileges
    .map(({ path, access }) => ({ pattern: parts(path), methods: METHODS[access] ?? [] }))
    .filter(({ pattern }) => leads(pattern, sought))
    .sort(
      (one, other) =>
        other.pattern.length - one.pattern.length ||
        stars(one.pattern) - stars(other.pattern) ||
        one.methods.length - other.methods.length,
    );
  return best?.methods ?? [];
}

const stars = (pattern: string[]) => pattern.filter((part) => part === '*').length;

/** Why a method is not allowed, undefined where it is. All disabled elements show this reason. */
export function disabledReason(
  t: TFunction,
  privileges: readonly Privilege[],
  role: string,
  method: Method,
  path: string,
): string | undefined {
  return allowed(privileges, path).includes(method)
    ? undefined
    : t('Your role "{{role}}" does not allow this.', { role });
}
