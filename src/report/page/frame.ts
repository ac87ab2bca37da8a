/**
 * The parts that every HTML page is made of: the frame, tables, and charts drawn as SVG. Reports and pages of sessions share them.
 *
 * Values and words come in; a page comes out that needs nothing else: no script, no address, nothing fetched, readable in light and dark,
 * on paper and without colours, since parts differ in shape and hatching as well.
 *
 * All text passes `escapeHtml`, so that nothing of a conversation is obeyed. The charts know no sessions: what a value means, and which
 * values there are, is decided by whoever calls them.
 */

export type PageSection = { readonly title: string /** HTML. */; readonly body: string };

/** What is wider than the screen scrolls in its own box, which the keyboard reaches. */
export function pageFrame({ title, intro, sections }: PageParts): string {
  const parts = sections.map(({ title: name, body }, at) => `<section id="s${at}"><h2>${escapeHtml(name)}</h2>\n${body}</section>`);
  const links = sections.map(({ title: name }, at) => `<li><a href="#s${at}">${escapeHtml(name)}</a></li>`);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title><style>${STYLE}</style></head><body>
<header><h1>${escapeHtml(title)}</h1><p>${escapeHtml(intro)}</p><nav aria-label="Contents"><ul>${links.join('')}</ul></nav></header>
<main>${parts.join('\n')}</main>
</body></html>
`;
}

type PageParts = { readonly title: string; readonly intro: string; readonly sections: readonly PageSection[] };

export type PageTable = {
  readonly caption: string;
  readonly head: readonly string[];
  /** The first cell of a row names it. */
  readonly rows: readonly (readonly string[])[];
  /** Columns of words, counted from 0, which stand at the left. */
  readonly words?: readonly number[];
};

/** What is longer takes several lines in a column of words. */
const ONE_LINE_CHARS = 80;

export function pageTable({ caption, head, rows, words = [] }: PageTable): string {
  const isLong = (column: number): boolean => rows.some((row) => (row[column] ?? '').length > ONE_LINE_CHARS);
  const classOf = new Map(words.map((column) => [column, ` class="words${isLong(column) ? ' long' : ''}"`]));
  const classAttribute = (column: number): string => classOf.get(column) ?? '';
  const cells = ([first = '', ...more]: readonly string[]): string =>
    `<tr><th scope="row">${escapeHtml(first)}</th>${more.map((text, at) => `<td${classAttribute(at + 1)}>${escapeHtml(text)}</td>`).join('')}</tr>`;
  const headCells = head.map((text, at) => `<th scope="col"${classAttribute(at)}>${escapeHtml(text)}</th>`).join('');
  return `<div class="wide" tabindex="0" role="region" aria-label="${escapeHtml(caption)}"><table><caption>${escapeHtml(caption)}</caption><thead><tr>${headCells}</tr></thead><tbody>${rows.map(cells).join('\n')}</tbody></table></div>`;
}

export const pageFigure = (caption: string, svg: string): string =>
  `<figure><figcaption>${escapeHtml(caption)}</figcaption><div class="wide" tabindex="0" role="region" aria-label="${escapeHtml(caption)}">${svg}</div></figure>`;

/** Six colours that people with any kind of colour vision tell apart (after Okabe and Ito), darker on white, lighter on black. */
const STYLE = `
:root{--paper:#fff;--ink:#1a1a1a;--soft:#595959;--line:#d0d0d0;--c0:#0072b2;--c1:#c04f00;--c2:#00795a;--c3:#a8417d;--c4:#7a6200;--c5:#404040}
@media screen and (prefers-color-scheme:dark){:root{--paper:#161616;--ink:#ececec;--soft:#b0b0b0;--line:#444;--c0:#56b4e9;--c1:#ff9a5c;--c2:#3fd3a6;--c3:#f0a3cc;--c4:#f0e442;--c5:#d0d0d0}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:70rem;padding:1rem;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,"Noto Sans CJK SC",sans-serif;overflow-wrap:anywhere}
h1{font-size:1.6rem;margin:.5rem 0}h2{font-size:1.25rem;margin:2rem 0 .5rem}a{color:var(--c0)}
nav ul{display:flex;flex-wrap:wrap;gap:.25rem 1rem;padding:0;list-style:none}
figure{margin:1.5rem 0}figcaption{font-weight:600;margin-bottom:.25rem}
.wide{overflow-x:auto;max-width:100%}
:focus-visible{outline:3px solid var(--c0);outline-offset:2px}
table{border-collapse:collapse;font-size:.875rem;font-variant-numeric:tabular-nums}caption{text-align:left;color:var(--soft)}
th,td{padding:.3rem .6rem;border-bottom:1px solid var(--line);text-align:right;white-space:nowrap}thead th{vertical-align:bottom}th[scope=row],thead th:first-child,.words{text-align:left}td.long{white-space:normal;min-width:22rem;max-width:40rem}td,tbody th{vertical-align:top}
svg{display:block;width:100%;min-width:42rem;height:auto;font:13px system-ui,"Noto Sans CJK SC",sans-serif}
svg text{fill:var(--ink)}svg .soft{fill:var(--soft)}svg .grid{stroke:var(--line);stroke-width:1}svg .limit{stroke:var(--ink);stroke-dasharray:2 4}
.k0{--k:var(--c0)}.k1{--k:var(--c1)}.k2{--k:var(--c2)}.k3{--k:var(--c3)}.k4{--k:var(--c4)}.k5{--k:var(--c5)}
svg .stroke{fill:none;stroke:var(--k);stroke-width:2;stroke-linejoin:round}svg .fill{fill:var(--k)}svg .hollow{fill:var(--paper);stroke:var(--k);stroke-width:2}svg .area{stroke:var(--paper);stroke-width:1}svg .touch{fill:none;pointer-events:all}
.legend{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;margin:.25rem 0;padding:0;list-style:none;font-size:.875rem}.legend svg{display:inline-block;width:2.5rem;min-width:0;height:1rem;vertical-align:middle;margin-right:.35rem}
@media (max-width:40rem){td.words,td.long{white-space:normal;min-width:13rem}}
@media (prefers-reduced-motion:reduce){*{animation:none!important;transition:none!important;scroll-behavior:auto!important}}
@media print{:root{color-scheme:light;font-size:11px}body{max-width:none;padding:0;font-size:1rem}.wide{overflow:visible}svg{min-width:0}nav{display:none}h2,figcaption,caption{break-after:avoid}figure,tr{break-inside:avoid}table{font-size:8px}th,td,td.long{padding:.1rem .3rem;white-space:normal;min-width:0;overflow-wrap:normal}td.words,th[scope=row]{overflow-wrap:anywhere}}
`.trim();

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Text for a page. Control characters but for tabs and line ends, and bidirectional overrides, are shown as a sign. */
export const escapeHtml = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[&<>"']/g, (char) => entities[char] ?? char)
    .replace(/[\u202a-\u202e\u2066-\u2069]|(?![\t\n])\p{Cc}/gu, '\ufffd');
