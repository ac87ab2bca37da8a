/** What people and models say in sentences, found with word lists of its own (see fidelity.ts). */

import { isOneOf } from '../../domain/value/word-list.ts';

const MIN_SENTENCE_CHARS = 8;
const MAX_SENTENCE_CHARS = 320;

/** Returns the sentences and list items of prose, without code blocks, quoted lines, tables, and lines too long for a sentence. */
export function mineSentences(text: string): readonly string[] {
  const prose = text.replace(/^(```|~~~)[\s\S]*?^\1.*$/gm, '\n');
  return prose
    .split('\n')
    .filter((line) => !/^\s*(?:[>|]|#{1,6} |\d+[→│|]| {4}\S|<\/?\w)/.test(line))
    .flatMap((line) => line.split(/(?<=[.!?])\s+|(?<=[。！？；])/))
    .map((sentence) => sentence.replace(/^\s*(?:[-*+•]|\d+[.)])\s+/, '').trim())
    .filter(
      (sentence) => sentence.length >= MIN_SENTENCE_CHARS && sentence.length <= MAX_SENTENCE_CHARS && !/[=;{}]\s*$|^[$%]\s/.test(sentence),
    );
}

const binds = isOneOf(
  /\b(?:must(?: not)?|mustn't|never|always|shouldn't|should (?:not|only|never|always|be))\b/i,
  /\b(?:make sure|be sure to|avoid|at (?:most|least)|instead of|no longer|without (?:\w+ing))\b/i,
  /\bonly (?:use|change|touch|edit|do|when|if|for|in)\b/i,
  /\b(?:keep (?:it|the|this|all)|please (?:don't|do not|use|keep|only))\b/i,
  /(?:^|[,;:] |\bbut |\band |\bplease |\bwe |\balso )(?:do not|don't|dont)\b/i,
  /(?<!要)不要|(?<!能)不能(?!够|和)|不许|不得(?!不)|(?<!说)不准/,
  /必须|务必|一定要|只能|禁止|切勿|严禁|千万别|请用|请勿|一律/,
);
const bindsNobody = isOneOf(
  /\b(?:i|they|you|it) (?:do not|don't|dont) (?:know|think|see|understand|remember|have|believe)\b/i,
  /\?$|？$|吗[。.]?$/,
);

export const statesConstraint = (sentence: string): boolean => binds(sentence) && !bindsNobody(sentence);

const decides = isOneOf(
  /\bwe(?:'ll| will| should| want to) (?:use|keep|remove|drop|rename|move|switch|skip|ignore)\b/i,
  /\b(?:switch(?:ed|ing)? to \w|sticking with|the plan is|better to\b|decided|decision:|agreed\b)/i,
  /\b(?:go with|choose|prefer|recommend|take|think|pick) option [A-D1-4]\b/i,
  /\b(?:let's (?:go|use|stick|keep|take|do it)\b|(?:going|go|went) (?:with|for)\b)/i,
  /\b(?:opt(?:ed|ing)? for|settled? on|chose|chosen)/i,
  /\b(?:i|we)(?:'ll| will) (?:use|go with|stick|take|switch to)\b/i,
  /\bthe (?:best|right|correct) (?:fix|approach|option|solution) is/i,
  /决定|选择了|选定|选用|采用|就用|改用|定为|确定用/,
);

/** The next step, what somebody else chose, or what would be if. */
const decidesNothing = isOneOf(
  /[?？]$|^if\b/i,
  /\blet's (?:take|have|go) (?:a |another |one )?(?:\w+ )?(?:look|ahead|through|over|back)\b/i,
  /\b(?:i|we)(?:'ll| will) (?:now )?use (?:the )?[\w-]+ (?:agent|tool|skill|command)\b/i,
  /\b(?:user|he|she|they|claude|model|agent) (?:ha(?:s|ve|d) )?(?:decided|chose|chosen|picked)\b/i,
);

export const statesDecision = (sentence: string): boolean => decides(sentence) && !decidesNothing(sentence);

const IDENTIFIER_PATTERNS: readonly RegExp[] = [
  /https?:\/\/[^\s<>"'`)\]，。]+/g,
  /`([^`\s]{4,80})`/g,
  /\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}\b/g,
  /\b[A-Z][A-Z0-9]{1,9}-\d+\b/g,
  /(?<![\w&])#\d{1,6}\b/g,
  /\bv?\d+\.\d+\.\d+(?:[-+][\w.]+)?\b/g,
  /(?<![\w.])\d{4,}(?![\w.])/g,
  /\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g,
  /\b[a-z]+(?:[A-Z][a-z0-9]+)+\b/g,
  /\b[a-z]\w*_\w*[a-z0-9]\b/g,
  /(?:^|(?<=[\s(]))[\w.@~-]*(?:\/[\w.@-]+)+\.\w{1,5}\b/g,
  /《[^《》]{2,30}》/g,
];

/** Everyday words in code marks, and years: they would be found anywhere. */
const EVERYDAY_WORD = /^(?:[A-Za-z]?[a-z]+|(?:19|20)\d\d)$/;

/** Returns what means nothing when reworded: code names, paths, hashes, versions, issue numbers, long figures, URLs, titles. */
export function mineIdentifiers(text: string): readonly string[] {
  const matches = IDENTIFIER_PATTERNS.flatMap((pattern) =>
    [...text.matchAll(pattern)].map(([all, inner]) => (inner ?? all).replace(/^["'([]+|["'.,;:!?()[\]]+$/g, '')),
  );
  const identifiers = [...new Set(matches)].filter((name) => name.length >= 3 && /[\p{L}\d]/u.test(name) && !EVERYDAY_WORD.test(name));
  return identifiers.filter((name) => !identifiers.some((other) => other !== name && other.includes(name)));
}
