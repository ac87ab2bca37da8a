import { pluralize } from '../text/format.ts';
import { safeLine, safeText } from '../text/safe-text.ts';

/** A file that SanBot changed since the state that is current again. */
export type RestorableFile = {
  readonly path: string;
  /** In one line, relative to the working folder inside of it. */
  readonly name: string;
  readonly does: 'write' | 'make' | 'remove';
  /** It was changed after SanBot's file tools did, by something else: a command, a person, whoever. */
  readonly changedSince: boolean;
  /** The change as a diff. */
  readonly preview: string;
  /** Does it; answers why it was not done. Never rejects. */
  readonly restore: () => Promise<string | undefined>;
};
export type RestorableFiles = {
  readonly files: readonly RestorableFile[];
  readonly unrestorable: readonly { readonly path: string; readonly name: string; readonly why: string }[];
};

export type RestoreDialog = {
  /** Text for the screen, made safe, with its line end. */
  readonly show: (text: string) => void;
  /** A question whose default is no; `own` when yes would touch nothing but what SanBot itself wrote, and remove nothing. */
  readonly ask: (question: string, own: boolean) => Promise<boolean>;
};

type FileName = { readonly path: string; readonly name: string };
export type FileOutcome = FileName & { readonly outcome: 'restored' | 'removed' | 'left'; readonly why?: string };

/**
 * Shows each change and does what is agreed to: first what only SanBot's file tools changed, then, each asked for by itself, what would remove a
 * file or what was changed otherwise since. Everything else is left as it is and told.
 */
export async function restoreFiles(
  { files, unrestorable }: RestorableFiles,
  { show, ask }: RestoreDialog,
): Promise<readonly FileOutcome[]> {
  const outcomes: FileOutcome[] = unrestorable.map((file) => leftAlone(file, file.why));
  const ownFiles = files.filter(({ does, changedSince }) => does !== 'remove' && !changedSince);
  for (const file of ownFiles) show(previewText(file));
  const isConfirmed =
    ownFiles.length > 0 &&
    (await ask(`Restore ${ownFiles.length === 1 ? `${ownFiles[0]?.name}` : pluralize(ownFiles.length, 'file')}?`, true));
  for (const file of ownFiles) outcomes.push(isConfirmed ? await restoreFile(file) : leftAlone(file, 'not asked for'));
  for (const file of files.filter((each) => !ownFiles.includes(each))) {
    show(previewText(file));
    const why = file.changedSince ? "changed since, not by SanBot's file tools" : 'it did not exist then';
    const question = file.does === 'remove' ? `Remove ${file.name} (${why})?` : `Restore ${file.name} anyway (${why})?`;
    outcomes.push((await ask(question, false)) ? await restoreFile(file) : leftAlone(file, why));
  }
  show(outcomesText(outcomes));
  return outcomes;
}

/** The changes alone. */
export const filesPreviewText = ({ files, unrestorable }: RestorableFiles): string =>
  [...files.map(previewText), ...unrestorable.map(({ name, why }) => `${safeLine(name)} cannot be restored: ${safeLine(why)}\n`)].join('');

const leftAlone = ({ path, name }: FileName, why: string): FileOutcome => ({ path, name, outcome: 'left', why });

async function restoreFile(file: RestorableFile): Promise<FileOutcome> {
  const why = await file.restore();
  return why === undefined
    ? { path: file.path, name: file.name, outcome: file.does === 'remove' ? 'removed' : 'restored' }
    : leftAlone(file, why);
}

const previewText = ({ preview, changedSince }: RestorableFile): string =>
  `${changedSince ? "Changed since, not by SanBot's file tools. " : ''}${safeText(preview)}\n`;

function outcomesText(outcomes: readonly FileOutcome[]): string {
  if (outcomes.length === 0) return 'No file that SanBot has changed since then differs from what it was.\n';
  return outcomes
    .map(({ name, outcome, why }) => `${outcome.padEnd(8)}  ${safeLine(name)}${why === undefined ? '' : ` (${safeLine(why)})`}\n`)
    .join('');
}
