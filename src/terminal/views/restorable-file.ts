import type { Bilingual } from '../../domain/language.ts';
import type { Entry, PutBack, PutBackProblem } from '../../domain/session/change.ts';

/** A path that SanBot changed since the state that is current again, or a repository as a whole. */
export type RestorableFile = {
  readonly path: string;
  /** In one line, relative to the working folder inside of it. */
  readonly name: string;
  readonly isFolder?: boolean;
  readonly does: 'write' | 'make' | 'remove';
  /** Something else changed it after that: a person, another program, or an act that is not undone, which `changedBy` names. */
  readonly changedSince: boolean;
  readonly changedBy?: Bilingual | undefined;
  /** It changed while a command ran in the background: the person may have done it. */
  readonly isUnwatched?: boolean;
  readonly preview: () => Promise<string>;
  readonly items: readonly PutBack[];
  /** What stood there when this was found out. */
  readonly seen: readonly { readonly path: string; readonly entry: Entry | null }[];
  /** Its former content as a file of another name, beside what stands there now. */
  readonly beside?: OtherWay;
  /** What stood there before somebody else changed it between two of the acts: `items` bring back theirs. */
  readonly earlier?: Pick<RestorableFile, 'name' | 'items' | 'preview'>;
};
export type OtherWay = Pick<RestorableFile, 'name' | 'items' | 'seen'>;

export type RestorableFiles = {
  readonly files: readonly RestorableFile[];
  /** `failed`: another try may bring it back. */
  readonly unrestorable: readonly { readonly path: string; readonly name: string; readonly why: Bilingual; readonly failed?: true }[];
  /** In one act, which can be undone. What is not as it was seen stays. Rejects with store_failed before anything is touched. */
  readonly restore: (files: readonly RestorableFile[]) => Promise<readonly PutBackProblem[]>;
};

export type RestoreWay = 'leave' | 'leave_all' | 'restore' | 'beside' | 'earlier';

export type FileOutcome = {
  readonly path: string;
  readonly name: string;
  readonly outcome: 'restored' | 'removed' | 'left';
  readonly why?: string;
  /** It was to be brought back, and was not. */
  readonly failed?: true;
};
