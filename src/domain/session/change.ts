import type { Bilingual } from '../language.ts';

/** What stands at a path, as the system tells it. Times are in milliseconds with their fraction. */
export type Standing = {
  readonly kind: 'file' | 'folder' | 'link' | 'other';
  /** Permission bits; below zero while nobody has looked, of a file that is about to be made. */
  readonly mode: number;
  readonly size: number;
  readonly mtime: number;
  readonly ctime: number;
  readonly ino: number;
  readonly links?: number;
};

/**
 * What a path holds: `sha256:…` bytes that we keep, `blob:…` bytes that git keeps, `object:…` an object or pack of git, `link:…` where a
 * link leads. Undefined while nobody has read it. Else why its bytes are not kept: `purged` by a person, `lost` since, `late` for want of
 * time.
 */
export type Holding = `sha256:${string}` | `blob:${string}` | `object:${string}` | `link:${string}` | (typeof notKeptReasons)[number];

export const notKeptReasons = ['large', 'full', 'unreadable', 'purged', 'lost', 'late'] as const;

export type Entry = Standing & {
  readonly holds?: Holding | undefined;
  /** It was written right before it was looked at: it may have changed since and look the same. */
  readonly isFresh?: boolean;
  /** Of an index of git: a hash of what it lists. git writes it again to note when it looked at a file, which changes nothing of that. */
  readonly listed?: string;
};

export type Manifest = ReadonlyMap<string, Entry>;

/** A path that is not what it was; null where there was or is nothing. */
export type Change = { readonly path: string; readonly before: Entry | null; readonly after: Entry | null };

/** Who acts: a call of a tool, a command of the person's, a hook. */
export type Actor = {
  readonly id: string;
  readonly title: string;
  /** The number of the last record of the session's log before it. */
  readonly record: number;
  /** In the sandbox, with nobody's yes to more: what runs later by itself is not to be left by it. */
  readonly held?: boolean;
  /** Names of files that run later and that a person allowed it to write all the same, as the package manager that it is. */
  readonly writes?: readonly string[];
  /** It restores: objects of git that it takes away come back with the folder of them all. */
  readonly restores?: boolean;
};

/** A file that something runs, or obeys, by itself later. */
export type LaterFile = { readonly path: string; readonly why: Bilingual };

/**
 * Why a path is not looked at: a tool makes it again, it cannot be read, ran out of time, its name is not text, no command names it, or it is a repository that
 * does not name the folder that leads there.
 */
export const uncoveredReasons = ['remade', 'unreadable', 'late', 'name', 'unnamed', 'apart'] as const;
export type Uncovered = ReadonlyMap<string, (typeof uncoveredReasons)[number]>;

export type ChangeSet = {
  readonly n: number;
  readonly at: string;
  /** Undefined for what happened between the acts that are known. */
  readonly by?: Actor | undefined;
  /** The folder that was looked at; undefined for the edit of one file, which lives as long as the session. */
  readonly root?: string | undefined;
  /** Who else was at work in the folder meanwhile: which of them did what cannot be told. */
  readonly also?: readonly Actor[];
  readonly changes: readonly Change[];
  /** Files among these that run later, where one who may not leave such was at work. */
  readonly later?: readonly LaterFile[];
};

export const actorsOf = ({ by, also = [] }: ChangeSet): readonly Actor[] => (by === undefined ? also : [by, ...also]);

/** All of it in the background, for as long as that may take: a person who worked in the folder meanwhile may have done it as well. */
export function ranUnwatched(act: ChangeSet): boolean {
  const actors = actorsOf(act);
  return actors.length > 0 && actors.every(({ id }) => /^job-\d+$/.test(id));
}

/** What is to stand at a path; null for nothing. */
export type PutBack = { readonly path: string; readonly to: Entry | null };
export type PutBackProblem = { readonly path: string; readonly why: Bilingual };

/** True when the system tells of both the same, so that nobody need read it. */
export const looksSame = (a: Standing, b: Standing): boolean =>
  a.kind === b.kind &&
  a.mode === b.mode &&
  a.ino === b.ino &&
  a.ctime === b.ctime &&
  (a.kind !== 'file' || (a.size === b.size && a.mtime === b.mtime));

/** True when a person would call both the same: bytes, permission bits, where a link leads. Times and places on the disk do not count. */
export function isSameThing(a: Entry | null, b: Entry | null): boolean {
  if (a === null || b === null) return a === b;
  if (a.kind !== b.kind) return false;
  switch (a.kind) {
    case 'folder':
      return a.mode === b.mode;
    case 'link':
      return a.holds === b.holds || ((a.holds === 'purged' || b.holds === 'purged') && looksSame(a, b));
    case 'other':
      return a.ino === b.ino;
    case 'file':
      if (a.listed !== undefined && a.listed === b.listed) return isSameMode(a, b);
      return isSameMode(a, b) && a.size === b.size && (areNamedAlike(a, b) ? a.holds === b.holds : looksSame(a, b));
  }
}

/** Whether the names of their contents tell if they are the same: one content has a name with us and another one with git. */
const areNamedAlike = (a: Entry, b: Entry): boolean =>
  isContent(a.holds) && isContent(b.holds) && a.holds?.split(':')[0] === b.holds?.split(':')[0];

const isSameMode = (a: Entry, b: Entry): boolean => a.mode === b.mode || a.mode < 0 || b.mode < 0;

/** True for a file or a link of somebody's: what git keeps of its own is nobody's, and a folder holds nothing by itself. */
export const isFileChange = ({ path, before, after }: Change): boolean =>
  !/\/\.git(?:\/|$)/.test(path) && (after ?? before)?.kind !== 'folder';

export const isContent = (holds: Holding | undefined): boolean =>
  holds?.startsWith('sha256:') === true || holds?.startsWith('blob:') === true || holds?.startsWith('object:') === true;
