import { t } from 'i18next';

/** The array's refusal of a request. */
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

/** An error in ONTAP's form, of a request or a job. */
export interface ErrorBody {
  message?: string;
  code?: string;
  target?: string;
  /** Parts of the message as they stand in it, in order. */
  arguments?: { message?: string }[];
}

export async function refusalOf(response: Response): Promise<Refusal> {
  const body = (await response.json().catch(() => ({}))) as { error?: ErrorBody };
  const { message = response.statusText, code = '', target = '' } = body.error ?? {};
  return new Refusal(response.status, localized({ ...body.error, message }), code, target);
}

/** Return an error in the language of the pages. */
export function localized({ message = '', arguments: parts }: ErrorBody): string {
  return translated(
    message,
    parts?.map(({ message: text }) => text ?? ''),
  );
}

/** The arguments of a message that came without any: names in quotes, and numbers. */
const obvious = (message: string) =>
  [...message.matchAll(/"([^"]+)"|(\d+)/g)].map(([, name, number]) => name ?? number!);

/**
 * Return a message of the array in the language of the pages, in English if there is no translation.
 * Arguments are translated too: one may be a sentence of its own. So is the rest after the first
 * argument and a colon, which only name the subject.
 */
export function translated(message: string, texts: readonly string[] = obvious(message)): string {
  const whole = t(message, { defaultValue: '' });
  if (whole) return whole;
  const template = templateOf(message, texts);
  const filled = Object.fromEntries(texts.map((text, index) => [index, inWords(text)]));
  const sentence = t(template, { defaultValue: '', ...filled });
  if (sentence) return sentence;
  const [first = '', ...others] = texts;
  if (!first || !message.startsWith(`${first}: `)) return message;
  return `${inWords(first)}: ${translated(message.slice(first.length + 2), others)}`;
}

const inWords = (text: string): string => (/\D/.test(text) ? translated(text) : text);

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
