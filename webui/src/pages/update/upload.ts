import { call, sendPiece } from '../../api/client';
import { isOpen, type Job } from '../../changes/job';
import { outcomeOf } from '../../changes/jobTexts';

/** The most that the API takes at once (api/sanstone/http/app.py). */
const PIECE = 1024 * 1024;
const TRIES = 5;
const PAUSE = 2000;

/**
 * Send the array a file piece by piece, and report after each which part of it is there. A piece that
 * was lost on the way is sent again; the last one is not, since the array acts upon it.
 */
export async function upload(
  path: string,
  file: Blob,
  signal: AbortSignal,
  onProgress: (part: number) => void,
): Promise<{ job?: { uuid: string } }> {
  for (let offset = 0; ; offset += PIECE) {
    const piece = file.slice(offset, offset + PIECE);
    const isLast = offset + piece.size >= file.size;
    const answer = await patiently(isLast ? 1 : TRIES, signal, () =>
      sendPiece<{ job?: { uuid: string } }>(path, { offset, size: file.size }, piece, signal),
    );
    onProgress((offset + piece.size) / file.size);
    if (isLast) return answer;
  }
}

async function patiently<Answer>(
  tries: number,
  signal: AbortSignal,
  attempt: () => Promise<Answer>,
): Promise<Answer> {
  for (let left = tries; ; left--)
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof TypeError) || left <= 1 || signal.aborted) throw error;
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
}

/** Return how the job of the last piece ended, as soon as it has. */
export async function ended(uuid: string): Promise<{ state: string; message: string }> {
  for (;;) {
    const job = await call<Job>('GET', `cluster/jobs/${uuid}`, { fields: 'state,message,error' });
    if (!isOpen(job)) return { state: job.state, message: outcomeOf(job) };
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}
