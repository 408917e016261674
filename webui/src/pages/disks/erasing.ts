/** Methods to erase disks, by the disks' fields. */
import type { Json } from '../../api/client';
import { at } from '../../declarations/declarations';

const BY_ITSELF = ['crypto_erase', 'block_erase', 'overwrite'];

/** Whether a disk has failed to sanitize itself. */
export const hasFailed = (record: Json) => at(record, 'sanitize.state') === 'failed';

/** How a disk can be erased; one that failed to sanitize itself can but do that again. */
export function waysToErase(record: Json): string[] {
  if (hasFailed(record)) return BY_ITSELF;
  const methods = (at(record, 'sanitize.methods') as string[] | undefined) ?? [];
  return ['labels', ...(record['discards'] ? ['discard'] : []), 'zeroes', ...methods];
}

/** The array's own choice among them, or the first. */
export function usualWayToErase(record: Json): string {
  const ways = waysToErase(record);
  return ways.includes('discard') ? 'discard' : (ways[0] ?? '');
}
