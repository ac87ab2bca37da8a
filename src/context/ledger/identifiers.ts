import { memoizeRecent } from '../../domain/value/memoize.ts';
import { isOneOf } from '../../domain/value/word-list.ts';
import { visitWords } from './files/shell-files.ts';

/** Where an identifier was found: what people type and what failed weighs more than what is only mentioned. */
const SOURCE_WEIGHT = { user: 6, error: 5, command: 4, file: 4, assistant: 3, note: 2, input: 2, change: 2, result: 0 };

export type SourcedText = { readonly source: keyof typeof SOURCE_WEIGHT; readonly text: string };

/** Only this much of a result is read, and only to count names that also occur outside results. */
const RESULT_CHARS = 8_000;
const ALL_RESULTS_CHARS = 4_000_000;
const TEXT_CHARS = 200_000;

/** The exact names, numbers and addresses in the texts, the highest score first, without those that occur only in results. */
export function rankIdentifiers(texts: readonly SourcedText[], limit: number): readonly string[] {
  const stats: Stats = new Map();
  for (const { source, text } of texts) {
    if (source === 'result') continue;
    for (const [found, kind] of identifiersIn(stripNoise(text.slice(0, TEXT_CHARS)))) {
      const name = withoutLine(found.replace(/^(?:this|self)\./, ''));
      if (saysLittle(name, kind) || (source === 'command' && OPTION.test(name)) || (source !== 'user' && isPiece(name))) continue;
      const previous = stats.get(name);
      const weight = Math.max(previous?.weight ?? 0, SOURCE_WEIGHT[source]);
      stats.set(name, { weight, times: (previous?.times ?? 0) + 1, kind });
    }
  }
  let remainingChars = ALL_RESULTS_CHARS;
  for (const { source, text } of texts) {
    if (source !== 'result' || remainingChars <= 0) continue;
    countMentions(stripNoise(text.slice(0, RESULT_CHARS)), stats);
    remainingChars -= Math.min(text.length, RESULT_CHARS);
  }
  return ranked([...stats].filter(([name, stat]) => stat.weight > SOURCE_WEIGHT.assistant || !isPassing(name, stat))).slice(0, limit);
}

type Stat = { readonly weight: number; readonly times: number; readonly kind: number };
type Stats = Map<string, Stat>;

const ranked = (stats: Iterable<readonly [string, Stat]>): readonly string[] =>
  [...stats]
    .map(([name, { weight, times, kind }]) => ({ name, score: weight + 2 * Math.log2(times) + kind }))
    .sort((a, b) => b.score - a.score)
    .map(({ name }) => name);

/** Pieces of format strings and of code, and what every program of a language calls. */
const saysLittle = (name: string, kind: number): boolean =>
  STANDARD_PACKAGE.test(name) ||
  (kind === 1 && /^(?:[a-z]{3,12}|String|Number|Boolean|Array|Object|Error|Date|Map|Set|Promise|Symbol)$/.test(name)) ||
  (/\s/.test(name) && /%[svdqwxr]|\\n|\$\{|^[+,)}\].;:'"&|]|[+,({[]$/.test(name)) ||
  (kind === 1 && COMMON_MEMBER.test(name));

const OPTION = /^--[a-z][\w-]*$/;

/** What only code has: the end of a path, the bounds of a slice, the code of a colour, all or nothing in per cent. */
const isPiece = isOneOf(
  /^\/\.\w{1,12}$|^\/(?:undefined|null|tmp|usr|bin)$|^\d:\d{2,5}$/,
  /^(?:3\d|4\d|9[0-7]|10[0-7]|2[34]\d|25[0-5])m$|^(?:0|100)%$|^0[.,]0$/,
);

/** True for what is worth its room only where a person, a command or an error named it: of these few are used again. */
const isPassing = (name: string, { times, kind }: Stat): boolean =>
  /\.\w{1,6}:\d+(?:-\d+)?$/.test(name) ||
  (kind < 2 && /\s|[=<>(){}[\]|*\\]/.test(name)) ||
  (kind === 1 && times < 2 && /^[a-z]\w*(?:\.\w+)+$/.test(name)) ||
  (kind === 1 && times < 2 && /^[A-Za-z]+\/[A-Za-z]+$/.test(name));

const STANDARD = `archive bufio bytes compress container crypto database debug encoding go hash html image io log math mime net os path reflect
regexp runtime sort sync testing text unicode`;
const STANDARD_PACKAGE = new RegExp(`^(?:${STANDARD.split(/\s/).join('|')})/[a-z][a-z0-9]*$`);
const COMMON = `t b fmt os io strings strconv errors console Math JSON Object Array Number String Promise process sys re time assert require np pd plt
str dict list mock unittest expect line lines parts result output text data f args path filepath bytes sort sync context json`;
const COMMON_MEMBER = new RegExp(`^(?:${COMMON.split(/\s/).join('|')})\\.[A-Za-z_][\\w.]*$`);

export function frequentNames(text: string): readonly string[] {
  const stats: Stats = new Map();
  for (const [found, kind] of identifiersIn(stripNoise(text.slice(0, TEXT_CHARS)))) {
    const name = withoutLine(found);
    const stat = stats.get(name) ?? { weight: 0, times: 0, kind };
    stats.set(name, { ...stat, times: stat.times + 1 });
  }
  return ranked(stats);
}

const withoutLine = (name: string): string => (name.includes('/') && !name.includes('://') ? name.replace(LINE_NUMBER, '') : name);

/** Of a place in a file. Each line of it is not another name. */
const LINE_NUMBER = /(?::\d{1,9}){1,2}$/;

/** Removes colour codes, and lines that are not text: bytes of binary files, and lines near them that do not consist of words. */
export function stripNoise(text: string): string {
  const uncoloured = text.replace(ANSI_COLOUR, '');
  if (!UNPRINTABLE.test(uncoloured)) return uncoloured;
  const lines = uncoloured.split('\n');
  const isNoise = lines.map((line) => UNPRINTABLE.test(line));
  const isNearNoise = (at: number): boolean => isNoise.slice(Math.max(0, at - NOISE_REACH), at + NOISE_REACH + 1).includes(true);
  return lines.filter((line, at) => !isNoise[at] && (!isNearNoise(at) || isProse(line))).join('\n');
}

const ANSI_COLOUR = /\u001b\[[0-9;]{0,20}[A-Za-z]/g;
/** Control characters, what a decoder puts in place of broken bytes, and code points that nobody writes. */
const UNPRINTABLE = /(?![\t\n\r\f])[\p{Cc}\p{Co}\p{Cn}\ufffd]/u;
/** Lines around a noisy line that are suspect too: random bytes contain newlines, and some of the lines between these look clean. */
const NOISE_REACH = 3;

function isProse(line: string): boolean {
  const parts = line.split(/\s+/, 200).filter((part) => part !== '');
  const words = parts.filter((part) =>
    /^["'(`[]{0,2}(?:[\w./:@~=+-]{3,}|[\u4e00-\u9fff]{2,}.*|an?|as|at|by|in|is|it|of|on|or|to|we|I)["')`\],.:;?!]{0,3}$/.test(part),
  );
  return words.length >= 2 && words.length >= parts.length * 0.6;
}

function countMentions(text: string, stats: Stats): void {
  const seen = new Set<string>();
  visitWords(text, (start, end, plainEnd) => {
    const name = plainEnd < 0 ? trimPunctuation(text.slice(start, end)) : text.slice(start, plainEnd);
    if (stats.has(name)) seen.add(name);
  });
  for (const name of seen) {
    const stat = stats.get(name);
    if (stat !== undefined) stats.set(name, { ...stat, times: stat.times + 0.5 });
  }
}

const BACKTICKED_NAME = /`([^`\n]{2,80})`/g;
const QUOTED_NAME = /["“「『《]([^"”」』》\n]{3,60})["”」』》]/g;

export function identifiersIn(text: string): readonly (readonly [name: string, kind: number])[] {
  const identifiers: (readonly [string, number])[] = [];
  visitWords(text, (start, end, plainEnd) => {
    const isCalled = text.startsWith('(', end);
    // Letters alone are a name only where something is called.
    if (plainEnd >= 0 && !isCalled) return;
    const { word, kind, isCall } = readWord(text.slice(start, end));
    if (kind !== undefined) identifiers.push([word, kind]);
    else if (isCall && isCalled) identifiers.push([word, 1]);
  });
  for (const [, quotedText = ''] of text.matchAll(BACKTICKED_NAME)) {
    const name = quotedText
      .trim()
      .replace(END_MARKS, '')
      .replace(/^(\w+)\(\)$/, '$1');
    if (kindOf(name) === undefined && name.length > 2 && /[A-Za-z0-9\u4e00-\u9fff]/.test(name))
      identifiers.push([name, PLAIN_WORD.test(name) ? 0 : 1.5]);
  }
  for (const [, quotedText = ''] of text.matchAll(QUOTED_NAME)) {
    const name = quotedText.trim().replace(END_MARKS, '');
    if (name.length > 2 && /[A-Za-z0-9\u4e00-\u9fff]/.test(name) && NAME_MARKS.test(name) && kindOf(name) === undefined)
      identifiers.push([name, 1]);
  }
  return identifiers;
}

const END_MARKS = /[\\:;,\s]{1,6}$/;
const NAME_MARKS = /[_\d/.:=-]|[a-z][A-Z]|[\u4e00-\u9fff]/;
const PLAIN_WORD = /^[A-Za-z]?[a-z]+$/;

/** The dot of a hidden file or folder stays. */
const trimPunctuation = (word: string): string =>
  word.replace(/^(?!\.[A-Za-z][\w-]{0,40}\/)[!&=:?%^+.]{1,8}(?=[^/])|^[=:]+/, '').replace(/[.:!?=&,\\-]{1,8}$/, '');
const isCallName = (word: string): boolean => word.length >= 4 && /^[A-Za-z_][\w.]*$/.test(word) && !COMMON_CALLS.has(word);
const COMMON_CALLS = new Set(['function', 'return', 'while', 'switch', 'catch', 'console.log', 'print', 'import', 'require']);

type Word = {
  readonly word: string;
  readonly kind: number | undefined /** Whether it names what is called, before a bracket. */;
  readonly isCall: boolean;
};

/** The same words come again and again. The engine keeps the whole text of a longer part of it, so that only short ones are remembered. */
const readWord = memoizeRecent(judgeWord, { minChars: 1, maxChars: 12, keptChars: 50_000 });

function judgeWord(found: string): Word {
  const word = trimPunctuation(found);
  const kind = kindOf(word);
  return { word, kind, isCall: kind === undefined && isCallName(word) };
}

function kindOf(word: string): number | undefined {
  if (word.length < 3 || word.length > 300 || word.startsWith('/dev/') || COMMON_PHRASES.has(word.toLowerCase())) return undefined;
  return KINDS.find(({ pattern }) => pattern.test(word))?.weight;
}

const COMMON_PHRASES = new Set(
  'and/or yes/no read/write input/output true/false on/off he/she his/her n/a w/o e.g i.e start/stop up/down'.split(' '),
);

const EXTENSION =
  '(?:[cm]?[jt]sx?|py|go|rs|rb|java|kt|swift|c|h|cc|cpp|hpp|cs|php|sh|bash|zsh|ps1|sql|md|mdx|txt|rst|json|jsonl|ya?ml|toml|ini|cfg|conf|env|lock|xml|html?|css|scss|vue|svelte|proto|csv|log|pdf|png|jpe?g|svg|gz|zip|mod|sum|tmpl|gradle|tf)';

/** All patterns are anchored and each repetition is over one character class, so the time is linear. */
const KINDS: readonly { readonly weight: number; readonly pattern: RegExp }[] = [
  { weight: 4, pattern: /^(?:https?|wss?|ssh|git|postgres(?:ql)?|mysql|redis|mongodb|file|s3):\/\/\S{3,}$/ },
  { weight: 3, pattern: /^#\d{1,7}$|^[A-Z][A-Z0-9]{1,9}-\d{1,6}$|^[\w.-]+\/[\w.-]+#\d{1,7}$/ },
  { weight: 3, pattern: /^(?=[0-9a-f]*[a-f])(?=[0-9a-f]*[0-9])[0-9a-f]{7,64}$|^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{18,}$/ },
  { weight: 3, pattern: /^v?\d+\.\d+(?:\.\d+){0,3}(?:[-+][\w.]{1,30})?$/ },
  { weight: 3, pattern: /^[\w.@/-]{2,60}@v?\d+(?:\.\d+){0,3}(?:[-+][\w.]{1,30})?$/ },
  { weight: 3, pattern: /^(?:[\w.-]{0,60}:)\d{2,5}$|^\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}(?::\d+)?$/ },
  { weight: 3, pattern: /^(?:E[A-Z]{3,}|TS\d{3,5}|[A-Z]{1,6}\d{3,6}|ERR_\w+|SIG[A-Z]{3,})$/ },
  { weight: 2, pattern: /^[A-Z][A-Z0-9]*_[A-Z0-9_]+(?:=\S+)?$/ },
  { weight: 2, pattern: new RegExp(`^[\\w.@~+/\\\\-]*[\\w+-]\\.${EXTENSION}(?::\\d+(?:[-:]\\d+)?)?$`) },
  { weight: 2, pattern: /^(?:~|\.{1,2})?\/[\w.@~+-]+(?:\/[\w.@~+-]*)*$|^[\w.@-]+(?:\/[\w.@~+-]+){2,}\/?$/ },
  { weight: 2, pattern: /^\d+(?:[_,.]\d+)*(?:ms|s|m|h|d|kb|mb|gb|tb|kib|mib|gib|k|px|%|fps|hz|x)$/i },
  { weight: 2, pattern: /^\d{4,12}$|^\d{1,3}(?:,\d{3})+$/ },
  { weight: 1, pattern: /^(?=.{4})_{0,2}[a-z][a-z0-9]*(?:_[a-z0-9]+)+$/i },
  { weight: 1, pattern: /^(?=.{4})(?:[a-z]+[a-z0-9]*[A-Z]\w*|[A-Z][a-z0-9]+[A-Z]\w*)$/ },
  { weight: 1, pattern: /^[A-Za-z_]\w+(?:\.[A-Za-z_]\w+)+$/ },
  { weight: 1, pattern: /^--[a-z][\w-]{2,}(?:=\S+)?$/ },
  { weight: 1, pattern: /^[\w.-]{2,}\/[\w.-]{2,}$/ },
];
