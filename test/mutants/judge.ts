import { createHash } from 'node:crypto';
import type { Seen, Slot } from './slot.ts';
import type { Numbered } from './switches.ts';

/** What a test file, of which `hash` tells the text, reaches, and how long it takes. */
export type Reach = { readonly file: string; readonly hash: string; readonly ms: number; readonly places: readonly number[] };

export type Verdict = {
  readonly id: number;
  readonly outcome: 'killed' | 'hangs' | 'survived' | 'unreached';
  /** The test file that saw it. */
  readonly by?: string;
  /** How many test files could have seen it. */
  readonly files: number;
  /** The state of the tests that this depends on. */
  readonly tests: string;
  readonly ms: number;
};

/** Whether it still holds: a survivor as long as the files that reach it are the same, another while the one that saw it is. */
export const holds = (verdict: Verdict, files: readonly Reach[]): boolean => verdict.tests === stateOf(files, verdict.by);

function stateOf(files: readonly Reach[], by?: string): string {
  const counted = files.filter(({ file }) => by === undefined || file === by).map(({ file, hash }) => `${file} ${hash}`);
  return createHash('sha256').update(counted.toSorted().join('\n')).digest('hex').slice(0, 12);
}

/** A busy machine is given ten times as long as a file took, before that counts as hanging. */
const SLACK_MS = 30_000;
const SLACK = 10;

/** The files that reach a place: first those whose folder mirrors that of the source, then the quickest. */
export function filesFor(source: string, place: number, reaches: readonly Reach[]): readonly Reach[] {
  return reaches
    .filter(({ places }) => places.includes(place))
    .toSorted((a, b) => sharedFolders(b.file, source) - sharedFolders(a.file, source) || a.ms - b.ms);
}

function sharedFolders(test: string, source: string): number {
  if (!test.startsWith('test/unit/')) return 0;
  const [, , ...mirrored] = test.replace(/\.test\.ts$/, '').split('/');
  const [, ...parts] = source.replace(/\.ts$/, '').split('/');
  const differs = parts.findIndex((part, index) => mirrored[index] !== part);
  return differs === -1 ? parts.length : differs;
}

export type Bench = {
  readonly slot: Pick<Slot, 'firstRed'>;
  /** Puts a fault on, until the next one; 0 for none. */
  readonly put: (id: number) => void;
  /** Whether a test file is green without a fault. What is not cannot see one. Asked once of each, and kept here. */
  readonly greens: Map<string, boolean>;
};

/** `files` are those that reach the fault, in the order in which they are asked. */
export async function judge(fault: Numbered, files: readonly Reach[], bench: Bench): Promise<Verdict> {
  const begun = Date.now();
  const isAble = ({ file }: Reach): boolean => bench.greens.get(file) !== false;
  const seen = await seenBy(fault, files.filter(isAble), bench);
  const able = files.filter(isAble).length;
  const verdict = { id: fault.id, files: able, tests: stateOf(files, seen?.by), ms: Date.now() - begun };
  if (seen !== undefined) return { ...verdict, outcome: seen.how === 'hangs' ? 'hangs' : 'killed', by: seen.by };
  return { ...verdict, outcome: able === 0 ? 'unreached' : 'survived' };
}

async function seenBy(fault: Numbered, files: readonly Reach[], bench: Bench): Promise<Seen | undefined> {
  if (files.length === 0) return undefined;
  const { slot, put, greens } = bench;
  const times = new Map(files.map(({ file, ms }) => [file, ms]));
  const limit = (file: string): number => SLACK_MS + SLACK * (times.get(file) ?? 0);
  put(fault.id);
  const seen = await slot.firstRed([...times.keys()], limit);
  put(0);
  if (seen === undefined || !times.has(seen.by)) return seen;
  if (!greens.has(seen.by)) greens.set(seen.by, (await slot.firstRed([seen.by], limit)) === undefined);
  if (greens.get(seen.by) === true) return seen;
  const next = files.findIndex(({ file }) => file === seen.by) + 1;
  return seenBy(fault, files.slice(next), bench);
}
