import { joinPatterns, programName, type SimpleCommand } from '../../domain/permission.ts';
import type { Command, SyntaxNode } from './shell-grammar.ts';
import { patternsOf } from './word-patterns.ts';

/** Where a command runs. */
export type Place = Pick<SimpleCommand, 'folder' | 'isElsewhere'>;

/** True for a part of a command, by its number, that cannot change the folder of what comes after it. */
export function isOwnPlace(node: SyntaxNode, part: number): boolean {
  // After `cd x || exit` what follows runs in x.
  return node.type === 'AndOr' ? part > 0 && node.operators[part - 1] === '||' : node.type === 'Pipeline' && node.commands.length > 1;
}

/** The folder in which goes on what comes after a node of the grammar: not known where that depends on what happens. */
export function folderAfter(node: SyntaxNode, { before, after }: { readonly before: Place; readonly after: Place }): Place {
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

function movedBy({ name, args }: Command, place: Place): Place {
  const program = name?.value ?? '';
  const unknown: Place = { ...place, folder: null };
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
export function placeIn({ words: [program = ''], folder, isElsewhere }: SimpleCommand): Place {
  const isAway = isElsewhere === true || ELSEWHERE.has(programName(program));
  return { ...(folder !== undefined && { folder }), ...(isAway && { isElsewhere: true }) };
}
