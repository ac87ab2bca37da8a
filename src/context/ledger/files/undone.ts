import { callsIn, type Exchange } from '../exchange/exchanges.ts';
import { wasRun } from '../outcomes.ts';
import type { ToolCall } from '../types.ts';

export type Undone = {
  /** Places of the exchanges whose work was taken back later. */
  readonly exchanges: ReadonlySet<number>;
  /** For each exchange from before these messages that was taken back, the commit where it is known. */
  readonly before: readonly (string | undefined)[];
};

/**
 * Finds the exchanges whose work is gone: undone at the user's word, reverted by git, or removed with its files. What is not plain counts as
 * standing.
 */
export function undoneIn(exchanges: readonly Exchange[], calls: readonly ToolCall[]): Undone {
  const works = exchanges.map((_, at) => callsIn(exchanges, at, calls).filter((call) => wasRun(call) && !call.failed));
  const undone = new Set<number>();
  const before: (string | undefined)[] = [];
  const takeBack = (at: number, isWork: (call: ToolCall) => boolean): void => {
    const earlier = works.findLastIndex((work, place) => place < at && !undone.has(place) && work.some(isWork));
    if (earlier === -1) before.push(undefined);
    else undone.add(earlier);
  };
  const hashes = new Set<string>();
  for (const [at, { request, closed }] of exchanges.entries()) {
    const removals = (works[at] ?? []).map(removalOf).filter((removal) => removal !== undefined);
    for (const removal of removals) {
      if (removal.kind !== 'commit') {
        for (const earlier of exchanges.keys()) if (earlier < at && isGone(works, earlier, at, removal)) undone.add(earlier);
      } else if (removal.hash === undefined) takeBack(at, isCommit);
      else {
        hashes.add(removal.hash);
        const owner = works.findIndex(
          (work, place) => place < at && work.some((call) => isCommit(call) && namesOne(call, [removal.hash ?? ''])),
        );
        if (owner === -1) before.push(removal.hash);
        else if (works[owner]?.every((call) => !isCommit(call) || namesOne(call, [...hashes]))) undone.add(owner);
      }
    }
    if (removals.length === 0 && closed && UNDO_COMMAND.test(request) && !calls.some(({ title }) => RECORDED.test(title)))
      takeBack(at, changesFiles);
  }
  return { exchanges: undone, before };
}

/** What programs write that say what they commit: where they say nothing, nothing was undone. */
const RECORDED = /^(?:Commit|Removed:) [0-9a-f]{7,40} /;

/** A request to the program itself, which carries it out without a call that is recorded. */
const UNDO_COMMAND = /^\/(?:undo|revert)\b/;

const changesFiles = ({ kind, paths }: ToolCall): boolean => kind === 'write' || paths.length > 0;
export const isCommit = ({ command, title }: Pick<ToolCall, 'command' | 'title'>): boolean =>
  /(?:^|&& |; )git commit\b/.test(command ?? '') || /^Commit [0-9a-f]{7,40} /.test(title);
const namesOne = ({ title, result }: ToolCall, hashes: readonly string[]): boolean =>
  hashes.some((hash) => title.includes(hash) || (result ?? '').includes(hash.slice(0, 7)));

type Removal =
  | { readonly kind: 'commit'; readonly hash: string | undefined }
  | { readonly kind: 'files'; readonly paths: readonly string[]; readonly isDeleted: boolean }
  /** All that was not committed. */
  | { readonly kind: 'all' };

/** What a call takes back: a commit, files, or all that is not committed. */
export function removalOf({ command, title, paths }: Pick<ToolCall, 'command' | 'title' | 'paths'>): Removal | undefined {
  const removed = /^Removed: ([0-9a-f]{7,40}) /.exec(title)?.[1];
  if (removed !== undefined) return { kind: 'commit', hash: removed };
  const parts = (command ?? '').slice(0, 2_000).split(/&&|\|\||[;\n]/);
  for (const part of parts) {
    const words = part.trim().split(/\s+/);
    const [program, sub] = words;
    if (program === 'git') {
      const names = words.slice(2).filter((word) => !word.startsWith('-') && !/^(?:HEAD|origin\/|2>)/.test(word));
      if (sub === 'revert' && !words.includes('--abort')) return { kind: 'commit', hash: /^[0-9a-f]{7,40}$/.exec(names[0] ?? '')?.[0] };
      if (sub === 'reset' && words.includes('--hard') && names.length === 0)
        return words.some((word) => /^HEAD[~^]/.test(word)) ? { kind: 'commit', hash: undefined } : { kind: 'all' };
      const takesBack =
        (sub === 'checkout' && (words.includes('--') || names[0] === '.')) || (sub === 'restore' && !words.includes('--staged'));
      if (takesBack) return names.includes('.') ? { kind: 'all' } : { kind: 'files', paths: names, isDeleted: false };
    }
    if (program === 'rm' || (program === 'git' && sub === 'rm')) {
      const names = words.slice(program === 'rm' ? 1 : 2).filter((word) => !word.startsWith('-'));
      const plain = names.filter((name) => !/[*?$]/.test(name));
      if (plain.length > 0) return { kind: 'files', paths: plain, isDeleted: true };
    }
  }
  return /^delete_?file\b/i.test(title) && paths.length > 0 ? { kind: 'files', paths, isDeleted: true } : undefined;
}

/** True when all that the exchange wrote is among what was removed, and nothing wrote it anew in between. */
function isGone(
  works: readonly (readonly ToolCall[])[],
  at: number,
  until: number,
  removal: Exclude<Removal, { kind: 'commit' }>,
): boolean {
  const written = (works[at] ?? []).filter((call) => removalOf(call) === undefined).flatMap(({ paths }) => paths);
  if (written.length === 0) return false;
  const between = works.slice(at, until).flat();
  if (between.some(isCommit) && removal.kind === 'all') return false;
  return removal.kind === 'all' || written.every((path) => removal.paths.some((gone) => isSamePath(path, gone)));
}

/** True when one is the other, or its end: tools name a file by its whole path, commands from where they run. */
export function isSamePath(a: string, b: string): boolean {
  const [shorter, longer] = a.length < b.length ? [a, b] : [b, a];
  const end = shorter.replace(/^(?:\.\/|~\/)/, '');
  return shorter === longer || (end.includes('/') && longer.endsWith(`/${end}`));
}
