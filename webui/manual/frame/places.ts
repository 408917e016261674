/**
 * Leads from a page of the web interface to the place about it: that page links to `/docs/#/storage/luns`.
 * A page without a place of its own has that of the page above it.
 */
export async function goToPlace(): Promise<void> {
  if (!location.hash.startsWith('#/')) return;
  const answer = await fetch('/docs/places.json');
  if (!answer.ok) throw new Error(`/docs/places.json: ${answer.status}`);
  const places = (await answer.json()) as Record<string, string>;
  const place = placeOf(location.hash.slice(1), places);
  if (place) location.replace(place);
}

export function placeOf(page: string, places: Record<string, string>): string | undefined {
  const parts = page.split('/');
  for (; parts.length > 1; parts.pop()) {
    const place = places[parts.join('/')];
    if (place) return place;
  }
  return undefined;
}
