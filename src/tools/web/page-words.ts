/** What a page says without its tags, scripts and styles. */
export function wordsOf(html: string): string {
  const parts: string[] = [];
  let at = 0;
  let close = 0;
  for (let open = html.indexOf('<'); open !== -1; open = html.indexOf('<', at)) {
    parts.push(html.slice(at, open));
    const [, hidden] = /^<(script|style)\b/i.exec(html.slice(open, open + 8)) ?? [];
    const from = hidden === undefined ? open : indexOfEnd(html, hidden, open);
    if (close !== -1 && close <= from) close = html.indexOf('>', from);
    if (from === -1 || close === -1) {
      at = hidden === undefined ? open : html.length;
      break;
    }
    const isTag = close - from <= MAX_TAG_CHARS && /[a-z!/?]/i.test(html.charAt(open + 1));
    parts.push(isTag ? ' ' : '<');
    at = isTag ? close + 1 : open + 1;
  }
  return [...parts, html.slice(at)]
    .join('')
    .replace(/[ \t]+/g, ' ')
    .trim();
}

function indexOfEnd(html: string, name: string, from: number): number {
  const end = new RegExp(`</${name}`, 'gi');
  end.lastIndex = from;
  return end.exec(html)?.index ?? -1;
}

const MAX_TAG_CHARS = 1_000;

/** Elements in elements so deep; the libraries take time by the square of it, and no page that people read has a tenth of this. */
const MAX_DEPTH = 500;

/** True when more elements are open at one place than any page needs. Those count whose end nothing but a tag of theirs can be. */
export function isTooDeep(html: string): boolean {
  let depth = 0;
  for (const [, end, name = ''] of html.matchAll(/<(\/?)([a-z][a-z0-9-]{0,30})/gi)) {
    if (ENDED_BY_OTHERS.has(name.toLowerCase())) continue;
    depth = end === '/' ? Math.max(0, depth - 1) : depth + 1;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}

const ENDED_BY_OTHERS: ReadonlySet<string> = new Set(
  `area base br col embed hr img input link meta param source track wbr p li td th tr dt dd option optgroup thead tbody tfoot html head body path
  circle rect line polyline polygon ellipse use stop`.split(/\s+/),
);
