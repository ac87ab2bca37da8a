import { literalPattern, type PathPattern } from '../../domain/permission.ts';
import type { Word, WordPart } from './shell-grammar.ts';

/**
 * The paths that a word may stand for, where what the shell puts in its place is known but for what lies on the disk: patterns, alternatives
 * in braces, the user's home and the folder that it runs in. Undefined for all else.
 */
export function patternsOf({ text, value, parts = [] }: Word): readonly PathPattern[] | undefined {
  if (/[=:]~/.test(text)) return undefined;
  if (text.startsWith('~')) return /^~(?:\/|$)/.test(text) ? withHome(text, value, parts) : undefined;
  if (parts.length === 0) return [literalPattern(value)];
  return patternsOfParts(parts);
}

function withHome(text: string, value: string, parts: readonly WordPart[]): readonly PathPattern[] | undefined {
  if (parts.length === 0) return [`~${escaped(value.slice(1))}`];
  const [first, ...rest] = parts;
  if (first?.type !== 'Literal' || !text.startsWith(first.text)) return undefined;
  return patternsOfParts(rest)?.map((pattern) => `~${escaped(first.value.slice(1))}${pattern}`);
}

function patternsOfParts(parts: readonly WordPart[]): readonly PathPattern[] | undefined {
  let patterns: readonly string[] = [''];
  for (const [at, part] of parts.entries()) {
    const pieces = piecesOf(part, at === 0);
    if (pieces === undefined || patterns.length * pieces.length > MAX_PATTERNS) return undefined;
    patterns = patterns.flatMap((pattern) => pieces.map((piece) => pattern + piece));
  }
  return patterns;
}

const MAX_PATTERNS = 100;

function piecesOf(part: WordPart, isFirst: boolean): readonly string[] | undefined {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return [isFirst ? literalPattern(part.value) : escaped(part.value)];
    case 'Glob':
      return [part.text];
    case 'DoubleQuoted':
      return quotedPieces(part.parts, isFirst);
    case 'BraceExpansion':
      return /^\{[^{}\s\\"'`$[\]]*,[^{}\s\\"'`$[\]]*\}$/.test(part.text) ? part.text.slice(1, -1).split(',') : undefined;
    case 'SimpleExpansion':
    case 'ParameterExpansion':
    case 'CommandExpansion':
      return isFirst ? placeOf(part.text) : undefined;
    default:
      return undefined;
  }
}

function quotedPieces(parts: readonly WordPart[], isFirst: boolean): readonly string[] | undefined {
  const pieces = parts.map((part, at) => piecesOf(part, isFirst && at === 0));
  return pieces.includes(undefined) ? undefined : [pieces.flat().join('')];
}

/** Variables and commands that stand for a place. */
const PLACES: ReadonlyMap<string, string> = new Map([
  ...['$HOME', '$' + '{HOME}'].map((text) => [text, '~'] as const),
  ...['$PWD', '$' + '{PWD}', '$(pwd)', '`pwd`'].map((text) => [text, '.'] as const),
]);

function placeOf(text: string): readonly string[] | undefined {
  const place = PLACES.get(text);
  return place === undefined ? undefined : [place];
}

const escaped = (text: string): string => text.replace(/[\\*?[]/g, '\\$&');
