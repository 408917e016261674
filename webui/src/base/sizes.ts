/** Sizes in bytes as people write them. As everywhere on the array, a unit is 1024 of the one below. */
const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'] as const;
const WRITTEN = /^\s*(\d+(?:[.,]\d+)?)\s*([kmgtpe]?)(?:i?b)?\s*$/i;

/** "100 GiB", "100gb", "1,5 t" or a plain number of bytes; undefined for anything else. */
export function parseSize(text: string): number | undefined {
  const match = WRITTEN.exec(text);
  if (!match) return undefined;
  const power = ['', 'k', 'm', 'g', 't', 'p', 'e'].indexOf(match[2]!.toLowerCase());
  const bytes = Math.round(Number(match[1]!.replace(',', '.')) * 1024 ** power);
  return Number.isSafeInteger(bytes) ? bytes : undefined;
}

export function formatSize(bytes: number, language: string): string {
  let power = 0;
  while (Math.abs(bytes) >= 1024 ** (power + 1) && power < UNITS.length - 1) power++;
  const number = bytes / 1024 ** power;
  const digits = power === 0 || number >= 100 ? 0 : number >= 10 ? 1 : 2;
  const format = new Intl.NumberFormat(language, { maximumFractionDigits: digits });
  return `${format.format(number)} ${UNITS[power]}`;
}

/** The shortest text that is read as exactly this size, for a form. */
export function writtenSize(bytes: number): string {
  for (let power = UNITS.length - 1; power > 0; power--)
    if (bytes && bytes % 1024 ** power === 0) return `${bytes / 1024 ** power} ${UNITS[power]}`;
  return String(bytes);
}
