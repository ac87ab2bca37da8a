import type { Bilingual } from '../../domain/language.ts';
import { cutOutsideSecrets, LONGEST_PATTERN_CHARS } from '../../domain/value/redact.ts';

/**
 * Escapes everything in a text that a person could not see: control characters, bidirectional and zero-width ones, tags and fillers, lone
 * surrogates. Line feeds and tabs stay. Never throws; returns a text without such characters unchanged.
 */
export function visible(text: string): string {
  return text.replace(INVISIBLE, (char) => (char === '\n' || char === '\t' ? char : escapeChar(char)));
}

/** Like `visible`, in one line of at most `maxChars` characters. A secret that does not fit whole is left out whole. */
export function visibleLine(text: string, maxChars: number): string {
  // Only the part that can be shown is processed, however long the text is, and as much behind it as a secret may have.
  const line = text.slice(0, maxChars + LONGEST_PATTERN_CHARS).replace(INVISIBLE, escapeChar);
  if (line.length <= maxChars) return line;
  return `${line.slice(0, cutOutsideSecrets(line, maxChars - 1)).replace(HALF_AT_END, '')}…`;
}

/** Both languages so. */
export const visibleText = ({ en, zh }: Bilingual, maxChars: number): Bilingual => ({
  en: visibleLine(en, maxChars),
  zh: visibleLine(zh, maxChars),
});

/**
 * Returns a command as a person must see it before it runs: it also escapes tabs, spaces other than the plain one, letters that pose as
 * Latin ones, and long runs of blanks that would push the rest out of sight. Line feeds stay, at most three in a row.
 */
export function visibleCommand(command: string): string {
  return command
    .replace(INVISIBLE, (char) => (char === '\n' ? char : escapeChar(char)))
    .replace(OTHER_SPACE, escapeChar)
    .replace(WORD, (word) => (/[A-Za-z]/.test(word) ? word.replace(LOOKALIKE, escapeChar) : word))
    .replace(/ {17,}/g, (run) => ` \\x20{${run.length - 2}} `)
    .replace(/\n{4,}/g, (run) => `\n\\n{${run.length - 2}}\n`);
}

const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}\u2800]/gu;
const OTHER_SPACE = /(?! )\p{Zs}/gu;
const LOOKALIKE = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\uff01-\uff5e]/gu;
/** Words in which Latin letters and letters that look like them may be mixed. */
const WORD = /[\w\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\uff01-\uff5e]+/gu;
const HALF_AT_END = /[\ud800-\udbff]$/;

const NAMED_ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\t': '\\t', '\r': '\\r', '\u001b': '\\e', '\0': '\\0' };

function escapeChar(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  // A byte of a name that is no text.
  if (code >= 0xdc80 && code <= 0xdcff) return `\\x${(code - 0xdc00).toString(16)}`;
  return NAMED_ESCAPES[char] ?? (code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`);
}
