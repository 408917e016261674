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

export async function refusalOf(response: Response): Promise<Refusal> {
  const body = (await response.json().catch(() => ({}))) as {
    error?: { message?: string; code?: string; target?: string };
  };
  const { message = response.statusText, code = '', target = '' } = body.error ?? {};
  return new Refusal(response.status, message, code, target);
}
