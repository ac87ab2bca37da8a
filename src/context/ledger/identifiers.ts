/** Where an identifier stood: what people type and what went wrong weighs more than what is only mentioned. */
export type Place = 'user' | 'command' | 'error' | 'file' | 'assistant' | 'note' | 'input' | 'result';

export type PlacedText = { readonly place: Place; readonly text: string };

const PLACE_WEIGHT: Readonly<Record<Place, number>> = {
  user: 6,
  error: 5,
  command: 4,
  file: 4,
  assistant: 3,
  note: 2,
  input: 2,
  result: 0,
};
/** A result's text is looked at so far, and only to see what of the rest recurs in it. */
const RESULT_CHARS = 8_000;
const ALL_RESULTS_CHARS = 4_000_000;
const TEXT_CHARS = 200_000;

/**
 * The exact names, numbers and addresses in the texts, the weightiest first: by where they stood, how often, and what they are.
 * What stands in results alone is left out. Equal weights are in the order of first mention.
 */
export function rankIdentifiers(texts: readonly PlacedText[], most: number): readonly string[] {
  const found = new Map<string, { weight: number; times: number; kind: number }>();
  for (const { place, text } of texts) {
    if (place === 'result') continue;
    for (const [name, kind] of identifiersIn(withoutNoise(text.slice(0, TEXT_CHARS)))) {
      const known = found.get(name);
      const weight = Math.max(known?.weight ?? 0, PLACE_WEIGHT[place]);
      found.set(name, { weight, times: (known?.times ?? 0) + 1, kind });
    }
  }
  let left = ALL_RESULTS_CHARS;
  for (const { place, text } of texts) {
    if (place !== 'result' || left <= 0) continue;
    countKnown(withoutNoise(text.slice(0, RESULT_CHARS)), found);
    left -= Math.min(text.length, RESULT_CHARS);
  }
  const score = ({ weight, times, kind }: { weight: number; times: number; kind: number }) => weight + 2 * Math.log2(times) + kind;
  return [...found]
    .map(([name, at]) => ({ name, score: score(at) }))
    .sort((a, b) => b.score - a.score)
    .slice(0, most)
    .map(({ name }) => name);
}

/**
 * Without the lines that are no text: bytes of a binary file that were printed, and what stands around them and is not words.
 * Colour codes are taken off first.
 */
export function withoutNoise(text: string): string {
  const plain = text.replace(COLOUR, '');
  if (!UNPRINTABLE.test(plain)) return plain;
  const lines = plain.split('\n');
  const noise = lines.map((line) => UNPRINTABLE.test(line));
  const near = (at: number): boolean => noise.slice(Math.max(0, at - NOISE_REACH), at + NOISE_REACH + 1).includes(true);
  return lines.filter((line, at) => !noise[at] && (!near(at) || isWords(line))).join('\n');
}

const COLOUR = /\u001b\[[0-9;]{0,20}[A-Za-z]/g;
/** Control characters, what a decoder put for broken bytes, and code points that nobody writes. */
const UNPRINTABLE = /(?![\t\n\r\f])[\p{Cc}\p{Co}\p{Cn}\ufffd]/u;
/** Random bytes hold a newline every few lines' length, and some lines of them look clean. */
const NOISE_REACH = 3;

function isWords(line: string): boolean {
  const parts = line.split(/\s+/, 200).filter((part) => part !== '');
  const words = parts.filter((part) =>
    /^["'(`[]{0,2}(?:[\w./:@~=+-]{3,}|[\u4e00-\u9fff]{2,}.*|an?|as|at|by|in|is|it|of|on|or|to|we|I)["')`\],.:;?!]{0,3}$/.test(part),
  );
  return words.length >= 2 && words.length >= parts.length * 0.6;
}

function countKnown(text: string, found: Map<string, { weight: number; times: number; kind: number }>): void {
  const seen = new Set<string>();
  for (const match of text.matchAll(WORD)) seen.add(trimmed(match[0]));
  for (const name of seen) {
    const known = found.get(name);
    if (known !== undefined) found.set(name, { ...known, times: known.times + 0.5 });
  }
}

/** Printable ASCII without blanks and the marks that stand around names. Chinese text around a name ends it. */
const WORD = /\d{1,3}(?:,\d{3}){1,4}\b|[!#$%&+\-./0-9:=?@A-Z\\^_a-z~]+/g;
const TICKED = /`([^`\n]{2,80})`/g;
const IN_QUOTES = /["“「『《]([^"”」』》\n]{3,60})["”」』》]/g;

/** The identifiers of one text, each once a mention, with the weight of their kind. */
export function identifiersIn(text: string): readonly (readonly [name: string, kind: number])[] {
  const found: (readonly [string, number])[] = [];
  for (const match of text.matchAll(WORD)) {
    const word = trimmed(match[0]);
    const kind = kindOf(word) ?? (text.charAt(match.index + match[0].length) === '(' && isCalled(word) ? 1 : undefined);
    if (kind !== undefined) found.push([word, kind]);
  }
  for (const [, inside = ''] of text.matchAll(TICKED)) {
    const name = inside.trim().replace(/^(\w+)\(\)$/, '$1');
    if (kindOf(name) === undefined && name.length > 2 && /[A-Za-z0-9\u4e00-\u9fff]/.test(name)) found.push([name, 1.5]);
  }
  for (const [, inside = ''] of text.matchAll(IN_QUOTES)) {
    if (/[A-Za-z0-9\u4e00-\u9fff]/.test(inside) && /[_\d/.:=-]|[a-z][A-Z]|[\u4e00-\u9fff]/.test(inside) && kindOf(inside) === undefined)
      found.push([inside.trim(), 1]);
  }
  return found;
}

const trimmed = (word: string): string => word.replace(/^[!&=:?%^+.]{1,8}(?=[^/])|^[=:]+/, '').replace(/[.:!?=&,-]{1,8}$/, '');
const isCalled = (word: string): boolean => word.length >= 4 && /^[A-Za-z_][\w.]*$/.test(word) && !COMMON_CALLS.has(word);
const COMMON_CALLS = new Set(['function', 'return', 'while', 'switch', 'catch', 'console.log', 'print', 'import', 'require']);

/** The weight of what a word is, undefined for plain words. */
function kindOf(word: string): number | undefined {
  if (word.length < 3 || word.length > 300 || word.startsWith('/dev/') || PHRASES.has(word.toLowerCase())) return undefined;
  for (const { weight, shape } of KINDS) if (shape.test(word)) return weight;
  return undefined;
}

const PHRASES = new Set(
  'and/or yes/no read/write input/output true/false on/off he/she his/her n/a w/o e.g i.e start/stop up/down'.split(' '),
);

const EXTENSION =
  '(?:[cm]?[jt]sx?|py|go|rs|rb|java|kt|swift|c|h|cc|cpp|hpp|cs|php|sh|bash|zsh|ps1|sql|md|mdx|txt|rst|json|jsonl|ya?ml|toml|ini|cfg|conf|env|lock|xml|html?|css|scss|vue|svelte|proto|csv|log|pdf|png|jpe?g|svg|gz|zip|mod|sum|tmpl|gradle|tf)';

/** All anchored, each repetition over one class: linear. */
const KINDS: readonly { readonly weight: number; readonly shape: RegExp }[] = [
  { weight: 4, shape: /^(?:https?|wss?|ssh|git|postgres(?:ql)?|mysql|redis|mongodb|file|s3):\/\/\S{3,}$/ },
  { weight: 3, shape: /^#\d{1,7}$|^[A-Z][A-Z0-9]{1,9}-\d{1,6}$|^[\w.-]+\/[\w.-]+#\d{1,7}$/ },
  { weight: 3, shape: /^(?=[0-9a-f]*[a-f])(?=[0-9a-f]*[0-9])[0-9a-f]{7,64}$|^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{18,}$/ },
  { weight: 3, shape: /^v?\d+\.\d+(?:\.\d+){0,3}(?:[-+][\w.]{1,30})?$|^[\w.@/-]{2,60}@v?\d+(?:\.\d+){0,3}(?:[-+][\w.]{1,30})?$/ },
  { weight: 3, shape: /^(?:[\w.-]{0,60}:)\d{2,5}$|^\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}(?::\d+)?$/ },
  { weight: 3, shape: /^(?:E[A-Z]{3,}|TS\d{3,5}|[A-Z]{1,6}\d{3,6}|ERR_\w+|SIG[A-Z]{3,})$/ },
  { weight: 2, shape: /^[A-Z][A-Z0-9]*_[A-Z0-9_]+(?:=\S+)?$/ },
  { weight: 2, shape: new RegExp(`^[\\w.@~+/\\\\-]*[\\w+-]\\.${EXTENSION}(?::\\d+(?:[-:]\\d+)?)?$`) },
  { weight: 2, shape: /^(?:~|\.{1,2})?\/[\w.@~+-]+(?:\/[\w.@~+-]*)*$|^[\w.@-]+(?:\/[\w.@~+-]+){2,}\/?$/ },
  { weight: 2, shape: /^\d+(?:[_,.]\d+)*(?:ms|s|m|h|d|kb|mb|gb|tb|kib|mib|gib|k|px|%|fps|hz|x)$|^\d{3,12}$|^\d{1,3}(?:,\d{3})+$/i },
  { weight: 1, shape: /^(?=.{4})_{0,2}[a-z][a-z0-9]*(?:_[a-z0-9]+)+$/i },
  { weight: 1, shape: /^(?=.{4})(?:[a-z]+[a-z0-9]*[A-Z]\w*|[A-Z][a-z0-9]+[A-Z]\w*)$/ },
  { weight: 1, shape: /^[A-Za-z_]\w+(?:\.[A-Za-z_]\w+)+$/ },
  { weight: 1, shape: /^--[a-z][\w-]{2,}(?:=\S+)?$/ },
  { weight: 1, shape: /^[\w.-]{2,}\/[\w.-]{2,}$/ },
];
