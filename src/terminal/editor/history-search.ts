export type Browsing = {
  readonly draft: string;
  readonly index: number;
};

export function earlierMessage(newestFirst: readonly string[], browsing: Browsing | undefined, text: string): Browsing | undefined {
  const draft = browsing?.draft ?? text;
  const shown = browsing === undefined ? undefined : newestFirst[browsing.index];
  const index = newestFirst.findIndex((message, at) => at > (browsing?.index ?? -1) && message.startsWith(draft) && message !== shown);
  return index < 0 ? undefined : { draft, index };
}

export function laterMessage(newestFirst: readonly string[], { draft, index }: Browsing): Browsing | undefined {
  const shown = newestFirst[index];
  const later = newestFirst.slice(0, index).findLastIndex((message) => message.startsWith(draft) && message !== shown);
  return later < 0 ? undefined : { draft, index: later };
}

export type Search = { readonly query: string; readonly index: number | undefined };

export const beginSearch: Search = { query: '', index: undefined };

/** Of a paste of megabytes the beginning is looked through, so that a key answers at once. */
const MAX_SEARCHED_CHARS = 20_000;

/** With another letter the same message stays while it still matches. */
export const searchFor = (newestFirst: readonly string[], query: string, from = 0): Search => {
  const wanted = query.toLowerCase();
  const index =
    query === ''
      ? -1
      : newestFirst.findIndex((message, at) => at >= from && message.slice(0, MAX_SEARCHED_CHARS).toLowerCase().includes(wanted));
  return { query, index: index < 0 ? undefined : index };
};

export function searchOlder(newestFirst: readonly string[], search: Search): Search {
  if (search.index === undefined) return search;
  const shown = newestFirst[search.index];
  let from = search.index + 1;
  while (from < newestFirst.length && newestFirst[from] === shown) from += 1;
  const older = searchFor(newestFirst, search.query, from);
  return older.index === undefined ? search : older;
}
