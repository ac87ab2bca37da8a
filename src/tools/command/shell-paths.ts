import { joinPatterns, literalPattern, programName, type ShellPattern, type SimpleCommand } from '../../domain/permission.ts';
import type { Command, SyntaxNode, Word, WordPart } from './shell-grammar.ts';

/**
 * The paths that a word may stand for, where what the shell puts in its place is known but for what lies on the disk: patterns, alternatives
 * in braces, the user's home and the folder that it runs in. Undefined for all else.
 */
export function patternsOf({ text, value, parts = [] }: Word): readonly ShellPattern[] | undefined {
  if (/[=:]~/.test(text)) return undefined;
  if (text.startsWith('~')) return /^~(?:\/|$)/.test(text) ? withHome(text, value, parts) : undefined;
  if (parts.length === 0) return [literalPattern(value)];
  return patternsOfParts(parts);
}

function withHome(text: string, value: string, parts: readonly WordPart[]): readonly ShellPattern[] | undefined {
  if (parts.length === 0) return [`~${escaped(value.slice(1))}`];
  const [first, ...rest] = parts;
  if (first?.type !== 'Literal' || !text.startsWith(first.text)) return undefined;
  return patternsOfParts(rest)?.map((pattern) => `~${escaped(first.value.slice(1))}${pattern}`);
}

function patternsOfParts(parts: readonly WordPart[]): readonly ShellPattern[] | undefined {
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

/** Where a command runs. */
export type CommandPlace = Pick<SimpleCommand, 'folder' | 'isElsewhere'>;

/** True for a part of a command, by its number, that cannot change the folder of what comes after it. */
export function isOwnPlace(node: SyntaxNode, part: number): boolean {
  // After `cd x || exit` what follows runs in x.
  return node.type === 'AndOr' ? part > 0 && node.operators[part - 1] === '||' : node.type === 'Pipeline' && node.commands.length > 1;
}

/** The folder in which goes on what comes after a node of the grammar: not known where that depends on what happens. */
export function folderAfter(
  node: SyntaxNode,
  { before, after }: { readonly before: CommandPlace; readonly after: CommandPlace },
): CommandPlace {
  switch (node.type) {
    case 'Command':
      return movedBy(node, before);
    case 'Subshell':
    case 'CommandExpansion':
    case 'ProcessSubstitution':
    case 'Coproc':
      return before;
    case 'Statement':
      return node.background === true ? before : after;
    case 'Function':
    case 'If':
    case 'For':
    case 'While':
    case 'Select':
    case 'Case':
    case 'ArithmeticFor':
      return after.folder === before.folder ? before : { ...before, folder: null };
    default:
      return after;
  }
}

function movedBy({ name, args }: Command, place: CommandPlace): CommandPlace {
  const program = name?.value ?? '';
  const unknown: CommandPlace = { ...place, folder: null };
  if (program === 'popd') return unknown;
  if (program === 'command' || program === 'builtin') return args.some(({ text }) => text === 'cd') ? unknown : place;
  if (program !== 'cd' && program !== 'pushd') return place;
  const [target, ...more] = args.filter((arg) => !/^-[LPe@]+$|^--$/.test(arg.text));
  if (target === undefined) return program === 'cd' ? { ...place, folder: '~' } : unknown;
  const patterns = target.type === 'Word' && target.value !== '-' ? patternsOf(target) : undefined;
  return { ...place, folder: patterns?.length === 1 && more.length === 0 ? joinPatterns(place.folder, patterns[0] ?? '') : null };
}

/** Programs that run what they are told on another machine or in a container. */
const ELSEWHERE: ReadonlySet<string> = new Set(
  'ssh sshpass mosh docker docker-compose podman nerdctl kubectl oc lxc incus machinectl vagrant multipass wsl chroot nsenter heroku fly flyctl'.split(
    ' ',
  ),
);

/** Where a script runs that a command hands to a shell. */
export function placeIn({ words: [program = ''], folder, isElsewhere }: SimpleCommand): CommandPlace {
  const isAway = isElsewhere === true || ELSEWHERE.has(programName(program));
  return { ...(folder !== undefined && { folder }), ...(isAway && { isElsewhere: true }) };
}
