import { Store } from './store';

export interface Toast {
  id: number;
  kind: 'success' | 'danger';
  text: string;
  details?: string;
}

let last = 0;

/** The notices above the page: that the array restarts, and how a change ended. */
export const notice = {
  restarting: new Store(false),
  toasts: new Store<readonly Toast[]>([]),
};

export function tell(kind: Toast['kind'], text: string, details?: string): void {
  const toast: Toast = { id: ++last, kind, text, ...(details && { details }) };
  notice.toasts.set([...notice.toasts.get(), toast]);
}

export function dismiss(id: number): void {
  notice.toasts.set(notice.toasts.get().filter((toast) => toast.id !== id));
}
