/** Times of the array, which are UTC, as the person who reads them has them. */
export function formatTime(time: string, language: string): string {
  const moment = new Date(time);
  if (Number.isNaN(moment.valueOf())) return time;
  return new Intl.DateTimeFormat(language, { dateStyle: 'short', timeStyle: 'medium' }).format(
    moment,
  );
}
