import { t } from 'i18next';

/** What the array answered instead of doing what it was asked. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly code: string,
    /** The dotted name of the field at fault, '' where there is none. */
    readonly target: string,
  ) {
    super(message);
  }
}

interface Told {
  message?: string;
  code?: string;
  target?: string;
  arguments?: { message?: string }[];
}

export async function refusalOf(response: Response): Promise<Refusal> {
  const body = (await response.json().catch(() => ({}))) as { error?: Told };
  const { message = response.statusText, code = '', target = '' } = body.error ?? {};
  const texts = (body.error?.arguments ?? []).map(({ message: text }) => text ?? '');
  return new Refusal(response.status, translated(message, texts), code, target);
}

/**
 * Return what the array said in the language of the pages, in English if that has no words for it.
 * What stands in the place of its arguments is looked for too: it may be a sentence of its own.
 */
export function translated(message: string, texts: readonly string[] = []): string {
  const whole = t(message, { defaultValue: '' });
  if (whole) return whole;
  const template = templateOf(message, texts);
  const filled = Object.fromEntries(
    texts.map((text, index) => [index, t(text, { defaultValue: text })]),
  );
  return t(template, { defaultValue: '', ...filled }) || message;
}

/** The message with {{0}}, {{1}} … in the places of its arguments, which stand in it in order. */
export function templateOf(message: string, texts: readonly string[]): string {
  let template = '';
  let rest = message;
  for (const [index, text] of texts.entries()) {
    const place = rest.indexOf(text);
    if (!text || place < 0) continue;
    template += `${rest.slice(0, place)}{{${index}}}`;
    rest = rest.slice(place + text.length);
  }
  return template + rest;
}
