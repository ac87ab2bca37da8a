import { counted } from '../text/figures.ts';
import { safeLine, safeText } from '../text/safe-text.ts';

/** A file that SanBot changed since the state that is current again. */
export type FileToRestore = {
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
export type FilesThen = {
  readonly files: readonly FileToRestore[];
  readonly cannot: readonly { readonly path: string; readonly name: string; readonly why: string }[];
};

export type RestoreTalk = {
  /** Text for the screen, made safe, with its line end. */
  readonly show: (text: string) => void;
  /** A question whose default is no; `own` when yes would touch nothing but what SanBot itself wrote, and remove nothing. */
  readonly ask: (question: string, own: boolean) => Promise<boolean>;
};

type Named = { readonly path: string; readonly name: string };
export type FileOutcome = Named & { readonly outcome: 'restored' | 'removed' | 'left'; readonly why?: string };

/**
 * Shows each change and does what is agreed to: first what only SanBot's file tools changed, then, each asked for by itself, what would remove a
 * file or what was changed otherwise since. Everything else is left as it is and told.
 */
export async function restoreFiles({ files, cannot }: FilesThen, { show, ask }: RestoreTalk): Promise<readonly FileOutcome[]> {
  const done: FileOutcome[] = cannot.map((file) => left(file, file.why));
  const own = files.filter(({ does, changedSince }) => does !== 'remove' && !changedSince);
  for (const file of own) show(previewText(file));
  const all = own.length > 0 && (await ask(`Restore ${own.length === 1 ? `${own[0]?.name}` : counted(own.length, 'file')}?`, true));
  for (const file of own) done.push(all ? await restored(file) : left(file, 'not asked for'));
  for (const file of files.filter((each) => !own.includes(each))) {
    show(previewText(file));
    const why = file.changedSince ? "changed since, not by SanBot's file tools" : 'it is new since then';
    const question = file.does === 'remove' ? `Remove ${file.name} (${why})?` : `Restore ${file.name} all the same (${why})?`;
    done.push((await ask(question, false)) ? await restored(file) : left(file, why));
  }
  show(outcomesText(done));
  return done;
}

/** The changes alone. */
export const filesPreviewText = ({ files, cannot }: FilesThen): string =>
  [...files.map(previewText), ...cannot.map(({ name, why }) => `${safeLine(name)} cannot be restored: ${safeLine(why)}\n`)].join('');

const left = ({ path, name }: Named, why: string): FileOutcome => ({ path, name, outcome: 'left', why });

async function restored(file: FileToRestore): Promise<FileOutcome> {
  const why = await file.restore();
  return why === undefined
    ? { path: file.path, name: file.name, outcome: file.does === 'remove' ? 'removed' : 'restored' }
    : left(file, why);
}

const previewText = ({ preview, changedSince }: FileToRestore): string =>
  `${changedSince ? "Changed since, not by SanBot's file tools. " : ''}${safeText(preview)}\n`;

function outcomesText(done: readonly FileOutcome[]): string {
  if (done.length === 0) return 'No file that SanBot changed since is different from what it was.\n';
  return done
    .map(({ name, outcome, why }) => `${outcome.padEnd(8)}  ${safeLine(name)}${why === undefined ? '' : ` (${safeLine(why)})`}\n`)
    .join('');
}
