import type { Json } from '../../api/client';
import type { Column } from './columns';

const cell = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Comma-separated values, the first line the names of the fields. */
export function csv(columns: readonly Column[], records: readonly Json[]): string {
  const lines = [
    columns.map(({ name }) => cell(name)),
    ...records.map((record) => columns.map(({ text }) => cell(text(record)))),
  ];
  return lines.map((line) => `${line.join(',')}\r\n`).join('');
}

export function download(name: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
