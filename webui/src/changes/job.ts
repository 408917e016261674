/** A job in the array's answers. */
import type { ErrorBody } from '../api/refusal';

export interface Job {
  uuid: string;
  description: string;
  /** A paused one is in effect, and is taken back unless it is confirmed. */
  state: 'queued' | 'running' | 'paused' | 'success' | 'failure';
  message?: string;
  progress?: { percent?: number };
  cancelable?: boolean;
  /** Seconds in which a paused one is to be confirmed. */
  confirm_left?: number;
  error?: ErrorBody;
  start_time: string;
  end_time?: string;
}

export const isOpen = (job: Job) => job.state !== 'success' && job.state !== 'failure';
