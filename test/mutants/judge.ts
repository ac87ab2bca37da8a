import type { Seen, Slot } from './slot.ts';
import type { Numbered } from './switches.ts';

/** What a test file, of which `hash` tells the text, reaches, and how long it takes. */
export type Reach = { readonly file: string; readonly hash: string; readonly ms: number; readonly places: readonly number[] };

export type Verdict = {
  readonly id: number;
  readonly outcome: 'killed' | 'hangs' | 'survived' | 'unreached';
  /** The test file that saw it. */
  readonly by?: string;
  /** How many test files reach it. */
  readonly files: number;
  readonly ms: number;
};

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
  const [, , ...mirrored] = test.replace(/\.test\.ts$/, '').split('/');
  const [, ...parts] = source.replace(/\.ts$/, '').split('/');
  const differs = parts.findIndex((part, index) => mirrored[index] !== part);
  return differs === -1 ? parts.length : differs;
}

export type Bench = {
  readonly slot: Pick<Slot, 'firstRed'>;
  /** Puts a fault on, until the next one; 0 for none. */
  readonly put: (id: number) => void;
  readonly reaches: readonly Reach[];
  /** Whether a test file is green without a fault. What is not cannot see one. Asked once of each, and kept here. */
  readonly greens: Map<string, boolean>;
};

export async function judge(fault: Numbered, place: number, bench: Bench): Promise<Verdict> {
  const begun = Date.now();
  const files = filesFor(
    fault.file,
    place,
    bench.reaches.filter(({ file }) => bench.greens.get(file) !== false),
  );
  const seen = await seenBy(fault, files, bench);
  const able = files.filter(({ file }) => bench.greens.get(file) !== false).length;
  const verdict = { id: fault.id, files: able, ms: Date.now() - begun };
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
