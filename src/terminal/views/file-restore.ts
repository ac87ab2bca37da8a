import { type Bilingual, localize } from '../../domain/language.ts';
import { diffLines } from '../text/diff-text.ts';
import { pluralize } from '../text/format.ts';
import type { Drawing } from '../text/paint.ts';
import { safeLine } from '../text/safe-text.ts';
import { padEnd } from '../text/text-width.ts';

/** A file that SanBot changed since the state that is current again. */
export type RestorableFile = {
  readonly path: string;
  /** In one line, relative to the working folder inside of it. */
  readonly name: string;
  readonly does: 'write' | 'make' | 'remove';
  /** It was changed after SanBot's file tools did, by something else: a command, a person, whoever. */
  readonly changedSince: boolean;
  readonly preview: string;
  /** Does it; answers why it was not done. Never rejects. */
  readonly restore: () => Promise<string | undefined>;
};
export type RestorableFiles = {
  readonly files: readonly RestorableFile[];
  readonly unrestorable: readonly { readonly path: string; readonly name: string; readonly why: string }[];
};

export type RestoreDialog = {
  readonly drawing: Drawing;
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
  { show, ask, drawing }: RestoreDialog,
): Promise<readonly FileOutcome[]> {
  const outcomes: FileOutcome[] = unrestorable.map((file) => leftAlone(file, file.why));
  const ownFiles = files.filter(({ does, changedSince }) => does !== 'remove' && !changedSince);
  for (const file of ownFiles) show(previewText(file, drawing));
  const isConfirmed = ownFiles.length > 0 && (await ask(restoreQuestion(ownFiles), true));
  for (const file of ownFiles)
    outcomes.push(isConfirmed ? await restoreFile(file) : leftAlone(file, localize({ en: 'not asked for', zh: '未要求' })));
  for (const file of files.filter((each) => !ownFiles.includes(each))) {
    show(previewText(file, drawing));
    const why = localize(file.changedSince ? changedSinceText : { en: 'it did not exist then', zh: '当时不存在' });
    const question = localize(
      file.does === 'remove'
        ? { en: `Remove ${file.name} (${why})?`, zh: `删除 ${file.name}（${why}）吗？` }
        : { en: `Restore ${file.name} anyway (${why})?`, zh: `仍要恢复 ${file.name}（${why}）吗？` },
    );
    outcomes.push((await ask(question, false)) ? await restoreFile(file) : leftAlone(file, why));
  }
  show(outcomesText(outcomes));
  return outcomes;
}

const changedSinceText = { en: "changed since, not by SanBot's file tools", zh: '此后有改动，不是 SanBot 的文件工具所为' };

function restoreQuestion(files: readonly RestorableFile[]): string {
  const [first] = files;
  if (files.length === 1 && first !== undefined) return localize({ en: `Restore ${first.name}?`, zh: `恢复 ${first.name} 吗？` });
  return localize({ en: `Restore ${pluralize(files.length, 'file')}?`, zh: `恢复 ${files.length} 个文件吗？` });
}

export const filesPreviewText = ({ files, unrestorable }: RestorableFiles, drawing: Drawing): string =>
  [
    ...files.map((file) => previewText(file, drawing)),
    ...unrestorable.map(({ name, why }) =>
      localize({
        en: `${safeLine(name)} cannot be restored: ${safeLine(why)}\n`,
        zh: `${safeLine(name)} 无法恢复：${safeLine(why)}\n`,
      }),
    ),
  ].join('');

const leftAlone = ({ path, name }: FileName, why: string): FileOutcome => ({ path, name, outcome: 'left', why });

async function restoreFile(file: RestorableFile): Promise<FileOutcome> {
  const why = await file.restore();
  return why === undefined
    ? { path: file.path, name: file.name, outcome: file.does === 'remove' ? 'removed' : 'restored' }
    : leftAlone(file, why);
}

const previewText = ({ preview, changedSince }: RestorableFile, drawing: Drawing): string =>
  `${changedSince ? localize({ en: "Changed since, not by SanBot's file tools. ", zh: '此后有改动，不是 SanBot 的文件工具所为。' }) : ''}${diffLines(preview, drawing).join('\n')}\n`;

const outcomeNames: Bilingual<Readonly<Record<FileOutcome['outcome'], string>>> = {
  en: { restored: 'restored', removed: 'removed', left: 'left' },
  zh: { restored: '已恢复', removed: '已删除', left: '未改动' },
};
const bracketed = (text: string): string => localize({ en: ` (${text})`, zh: `（${text}）` });

function outcomesText(outcomes: readonly FileOutcome[]): string {
  if (outcomes.length === 0)
    return localize({
      en: 'No file that SanBot has changed since then differs from what it was.\n',
      zh: 'SanBot 此后修改过的文件都与当时相同。\n',
    });
  return outcomes
    .map(
      ({ name, outcome, why }) =>
        `${padEnd(localize(outcomeNames)[outcome], 8)}  ${safeLine(name)}${why === undefined ? '' : bracketed(safeLine(why))}\n`,
    )
    .join('');
}
