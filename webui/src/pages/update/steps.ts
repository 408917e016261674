import type { Software } from './software';

/** The array's message about the last update, with the progress of the writing: "40% Copying image". */
export function progressOf(software: Software): { message: string; percent?: number } {
  const message = software.status_details?.[0]?.issue?.message ?? '';
  const percent = /^(\d+)% /.exec(message)?.[1];
  return { message, ...(percent !== undefined && { percent: Number(percent) }) };
}

/** The steps of an update, by the array's messages. */
export type Step = 'check' | 'write' | 'restart';

export function stepOf(software: Software): Step {
  const { message, percent } = progressOf(software);
  if (percent !== undefined) return 'write';
  return /reboots into it/.test(message) ? 'restart' : 'check';
}
