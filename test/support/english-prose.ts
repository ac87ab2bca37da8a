import { stripVTControlCharacters } from 'node:util';

/** What is English in a Chinese screen by right: quotations, commands, options, paths, addresses, names with a sign in them. */
const byRight: readonly RegExp[] = [
  /"(?:[^"\\\n]|\\.)*(?:"|…)|\[[^\]\n]*\]|“[^”\n]*”|`[^`\n]*`/g,
  /\bsanbot(?: (?:--?[a-z][a-z-]*|[a-z]+|[A-Z]+|<[^>\n]+>|\[[^\]\n]+\]))*/g,
  /(?<!\p{L})\/[a-z]+(?: [a-z]+)*(?![a-z/])/gu,
  /\S*(?:[/_@=<>|\\]|\b[.:-]\b|--)\S*/g,
];

/** The lines of `text` in which three or more English words stand in a row, without what is English by right. */
export function englishProse(text: string): readonly string[] {
  return stripVTControlCharacters(text)
    .split(/[\r\n]+/)
    .filter((line) =>
      /(?:(?<![\p{L}\d])[A-Za-z][a-z']*[;:]? ){2,}[a-z'A-Z]+\b/u.test(byRight.reduce((rest, right) => rest.replaceAll(right, '·'), line)),
    );
}
