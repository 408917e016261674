import type { Software } from './software';

/** What the array says of the last update, and how far the writing is: "40% Copying image". */
export function progressOf(software: Software): { message: string; percent?: number } {
  const message = software.status_details?.[0]?.issue?.message ?? '';
  const percent = /^(\d+)% /.exec(message)?.[1];
  return { message, ...(percent !== undefined && { percent: Number(percent) }) };
}

/** The steps of an update, as the array's words tell them. */
export type Step = 'check' | 'write' | 'restart';

export function stepOf(software: Software): Step {
  const { message, percent } = progressOf(software);
  if (percent !== undefined) return 'write';
  return /reboots into it/.test(message) ? 'restart' : 'check';
}
