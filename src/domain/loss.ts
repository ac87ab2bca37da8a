import type { Bilingual } from './language.ts';
import type { ShellPattern, SimpleCommand } from './permission.ts';

/** What a command is about to delete, to overwrite or to change elsewhere, as its words tell. */
export type Loss = {
  /** Whose words tell it; undefined for a redirection. */
  readonly command: SimpleCommand | undefined;
} & (LostPaths | LostCopies | LostToArchive | { readonly kind: 'remote'; readonly text: Bilingual });

type Placed = Pick<SimpleCommand, 'folder'>;

export type LostPaths = Placed & {
  readonly kind: 'paths';
  readonly patterns: readonly ShellPattern[];
  /** A link is deleted itself; what is overwritten is the file that it leads to. */
  readonly act: 'delete' | 'overwrite';
  /** Of folders, only files with one of these names; all that is below them without it. */
  readonly names?: readonly ShellPattern[];
  /** Of folders, only files that git does not track (and does not ignore), or only those that it tracks. Without patterns: of the repository. */
  readonly only?: 'untracked' | 'unignored' | 'tracked';
};

export type LostCopies = Placed & {
  readonly kind: 'copies';
  readonly sources: readonly ShellPattern[];
  readonly destination: ShellPattern;
  /** The destination is the file or folder itself, whatever stands there. */
  readonly isWhole?: true;
  /** Links are made: where they lead need not be there, and what stands in the place of one goes itself. */
  readonly links?: true;
  /** As rsync does it: a slash at the end of a source stands for what it contains. */
  readonly syncs?: 'adds' | 'adds and deletes';
};

/** Files that what an archive contains comes in the place of. */
export type LostToArchive = Placed & {
  readonly kind: 'archive';
  readonly archive: ShellPattern;
  readonly destination: ShellPattern;
  /** What of it: names, folders, and patterns of names; all where there are none. */
  readonly members: readonly string[];
  /** So many folders at the beginning of each name are left out. */
  readonly strip: number;
};

/** What cannot be brought back when a call has run. */
export type Irreversible = {
  readonly text: Bilingual;
  /** The commands of the call that do it; undefined for a redirection. */
  readonly commands: readonly (SimpleCommand | undefined)[];
};
