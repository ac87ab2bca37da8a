import { type Bilingual, localize } from '../../domain/language.ts';
import type { PutBack, PutBackProblem } from '../../domain/session/change.ts';
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
  /** Something else changed it after SanBot did: a person, another program. */
  readonly changedSince: boolean;
  readonly preview: string;
  readonly items: readonly PutBack[];
};
export type RestorableFiles = {
  readonly files: readonly RestorableFile[];
  readonly unrestorable: readonly { readonly path: string; readonly name: string; readonly why: Bilingual }[];
  /** Does it, in one act. Returns what could not be done, and why. Throws store_failed before anything is touched. */
  readonly restore: (files: readonly RestorableFile[]) => readonly PutBackProblem[];
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
 * Shows each change and does what is agreed to, all at once: asked for together what only SanBot changed, then what would remove files that
 * it made, then, each by itself, what something else changed since. Everything else is left as it is and told.
 */
export async function restoreFiles(
  { files, unrestorable, restore }: RestorableFiles,
  { show, ask, drawing }: RestoreDialog,
): Promise<readonly FileOutcome[]> {
  const agreed = new Set<RestorableFile>();
  const offer = async (some: readonly RestorableFile[], question: string, own: boolean): Promise<void> => {
    for (const file of some.slice(0, MAX_SHOWN)) show(previewText(file, drawing));
    if (some.length > MAX_SHOWN) show(moreText(some.length - MAX_SHOWN));
    if (some.length > 0 && (await ask(question, own))) for (const file of some) agreed.add(file);
  };
  const ours = files.filter(({ changedSince }) => !changedSince);
  const [back, removed] = [ours.filter(({ does }) => does !== 'remove'), ours.filter(({ does }) => does === 'remove')];
  await offer(back, restoreQuestion(back), true);
  await offer(removed, removeQuestion(removed), false);
  for (const file of files.filter(({ changedSince }) => changedSince)) {
    const why = localize(changedSinceText);
    const text = { en: `Restore ${file.name} anyway (${why})?`, zh: `仍要恢复 ${file.name}（${why}）吗？` };
    await offer([file], localize(text), false);
  }
  const problems = new Map(agreed.size === 0 ? [] : restore([...agreed]).map(({ path, why }) => [path, why]));
  const outcomes = [
    ...unrestorable.map((file) => leftAlone(file, file.why)),
    ...files.map((file) => {
      const problem = file.items.map(({ path }) => problems.get(path)).find((why) => why !== undefined);
      if (agreed.has(file) && problem === undefined) return done(file);
      return leftAlone(file, problem ?? (file.changedSince ? changedSinceText : file.does === 'remove' ? NEW_SINCE : NOT_ASKED));
    }),
  ];
  show(outcomesText(outcomes));
  return outcomes;
}

/** More previews are read by nobody. */
const MAX_SHOWN = 20;
const moreText = (count: number): string => localize({ en: `… and ${pluralize(count, 'more file')}\n`, zh: `……另有 ${count} 个文件\n` });

const NEW_SINCE = { en: 'it did not exist then', zh: '当时不存在' };
const NOT_ASKED = { en: 'not asked for', zh: '未要求' };
const changedSinceText = { en: 'changed since, not by SanBot', zh: '此后有改动，不是 SanBot 所为' };

const removeQuestion = (files: readonly RestorableFile[]): string => {
  const [first] = files;
  if (files.length === 1 && first !== undefined)
    return localize({ en: `Remove ${first.name} (it did not exist then)?`, zh: `删除 ${first.name}（当时不存在）吗？` });
  return localize({ en: `Remove ${files.length} files that did not exist then?`, zh: `删除当时不存在的 ${files.length} 个文件吗？` });
};

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
        en: `${safeLine(name)} cannot be restored: ${safeLine(why.en)}\n`,
        zh: `${safeLine(name)} 无法恢复：${safeLine(why.zh)}\n`,
      }),
    ),
  ].join('');

const leftAlone = ({ path, name }: FileName, why: Bilingual): FileOutcome => ({ path, name, outcome: 'left', why: localize(why) });

const done = ({ path, name, does }: RestorableFile): FileOutcome => ({ path, name, outcome: does === 'remove' ? 'removed' : 'restored' });

const previewText = ({ preview, changedSince }: RestorableFile, drawing: Drawing): string =>
  `${changedSince ? localize({ en: 'Changed since, not by SanBot. ', zh: '此后有改动，不是 SanBot 所为。' }) : ''}${diffLines(preview, drawing).join('\n')}\n`;

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
