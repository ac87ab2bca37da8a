import { type Bilingual, localize } from '../../domain/language.ts';
import { NO, type TypableChoice, YES } from '../input/questions.ts';
import { diffLines } from '../text/diff-text.ts';
import type { Drawing } from '../text/paint.ts';
import { safeLine } from '../text/safe-text.ts';
import { choiceTexts, groupQuestion, moreText, outcomesText, sharedText, whyLeft } from './file-restore-text.ts';
import type { FileOutcome, RestorableFile, RestorableFiles, RestoreWay } from './restorable-file.ts';

export type RestoreDialog = {
  readonly drawing: Drawing;
  readonly show: (text: string) => void;
  /** A question whose default is no. Where nobody is asked, the answer is `own`: yes would touch nothing but what SanBot itself wrote. */
  readonly ask: (question: string, own: boolean) => Promise<boolean>;
  /** The differences were seen and agreed to; what somebody else changed too is asked about all the same. */
  readonly isAgreed?: boolean;
  /** One of the ways, the first where nobody chooses; `own` is the answer where nobody is asked. */
  readonly choose: (question: string, ways: readonly TypableChoice<RestoreWay>[], own: RestoreWay) => Promise<RestoreWay>;
};

type Decision = { readonly file: RestorableFile; readonly way: RestoreWay };

/**
 * Shows each change and does what is agreed to, all at once: asked for together what only SanBot changed, then what would remove files that
 * it made, both again of what changed while it did not look, then, each by itself, what somebody else changed too. Everything else is left as it is and told.
 */
export async function restoreFiles(
  { files, unrestorable, restore }: RestorableFiles,
  dialog: RestoreDialog,
): Promise<readonly FileOutcome[]> {
  const isShared = ({ changedSince, earlier }: RestorableFile): boolean => changedSince || earlier !== undefined;
  const [shared, own] = [files.filter(isShared), files.filter((file) => !isShared(file))];
  const groups = [false, true].flatMap((isUnwatched) => {
    const all = own.filter((file) => (file.isUnwatched === true) === isUnwatched);
    return [all.filter(({ does }) => does !== 'remove'), all.filter(({ does }) => does === 'remove')];
  });
  const decisions: Decision[] = [];
  for (const group of groups) decisions.push(...(await decideTogether(group, dialog)));
  decisions.push(...(await decideEach(shared, dialog)));
  const chosen = decisions.flatMap(({ file, way }) => targetOf(file, way) ?? []);
  const problems = new Map((chosen.length === 0 ? [] : await restore(chosen)).map(({ path, why }) => [path, why]));
  const outcomes = [
    ...unrestorable.map(({ why, ...file }): FileOutcome => ({ ...file, outcome: 'left', why: localize(why) })),
    ...decisions.map((decision) => outcomeOf(decision, problems)),
  ];
  dialog.show(outcomesText(outcomes));
  return outcomes;
}

/** More previews are read by nobody; names in one line each are. */
const MAX_SHOWN = 20;
const MAX_REMOVED = 200;

async function decideTogether(
  files: readonly RestorableFile[],
  { show, ask, drawing, isAgreed = false }: RestoreDialog,
): Promise<readonly Decision[]> {
  if (files.length === 0) return [];
  if (isAgreed) return files.map((file) => ({ file, way: 'restore' }));
  show(await previewsText(files, drawing));
  const way = (await ask(groupQuestion(files), true)) ? 'restore' : 'leave';
  return files.map((file) => ({ file, way }));
}

async function decideEach(files: readonly RestorableFile[], { show, choose, drawing }: RestoreDialog): Promise<readonly Decision[]> {
  const decisions: Decision[] = [];
  let isOver = false;
  for (const [i, file] of files.entries()) {
    // Where somebody else changed it last, theirs stands there; between two acts, theirs is what comes back.
    const unasked = file.changedSince ? 'leave' : 'restore';
    if (isOver) {
      decisions.push({ file, way: 'leave' });
      continue;
    }
    show(await differenceOf(file, drawing));
    const way = await choose(sharedText(file), waysOf(file, files.length - i - 1), unasked);
    isOver = way === 'leave_all';
    decisions.push({ file, way });
  }
  return decisions;
}

const waysOf = (file: RestorableFile, more: number): readonly TypableChoice<RestoreWay>[] => {
  const { beside, earlier } = file;
  const texts = choiceTexts(file, more);
  return [
    { name: texts.leave, value: 'leave', words: [...NO, '3'] },
    { name: texts.restore, value: 'restore', words: [...YES, '1'] },
    ...(beside === undefined ? [] : [{ name: texts.beside, value: 'beside', words: ['b', '2'] } as const]),
    ...(earlier === undefined ? [] : [{ name: texts.earlier, value: 'earlier', words: ['e', '5'] } as const]),
    ...(more === 0 ? [] : [{ name: texts.leaveAll, value: 'leave_all', words: ['o', '4'] } as const]),
  ];
};

/** What is to be done of a file; undefined for nothing. */
function targetOf(file: RestorableFile, way: RestoreWay): RestorableFile | undefined {
  switch (way) {
    case 'leave':
    case 'leave_all':
      return undefined;
    case 'restore':
      return file;
    case 'beside':
      return file.beside && { ...file, ...file.beside };
    case 'earlier':
      return file.earlier && { ...file, items: file.earlier.items };
  }
}

function outcomeOf({ file, way }: Decision, problems: ReadonlyMap<string, Bilingual>): FileOutcome {
  const { path, name } = file;
  const target = targetOf(file, way);
  const problem = target?.items.map((item) => problems.get(item.path)).find((why) => why !== undefined);
  if (problem !== undefined) return { path, name, outcome: 'left', why: localize(problem), failed: true };
  if (target === undefined) return { path, name, outcome: 'left', why: localize(whyLeft(file)) };
  if (way === 'beside')
    return { path, name, outcome: 'left', why: localize({ en: `${target.name} holds what it was`, zh: `原内容在 ${target.name}` }) };
  return { path, name, outcome: target.items.every(({ to }) => to === null) ? 'removed' : 'restored' };
}

/** What would be done, where nothing is. */
export async function filesPreviewText({ files, unrestorable }: RestorableFiles, drawing: Drawing): Promise<string> {
  const [removed, others] = [files.filter(({ does }) => does === 'remove'), files.filter(({ does }) => does !== 'remove')];
  const texts = [await previewsText(others, drawing), await previewsText(removed, drawing)];
  for (const { name, why } of unrestorable)
    texts.push(
      localize({
        en: `${safeLine(name)} cannot be restored: ${safeLine(why.en)}\n`,
        zh: `${safeLine(name)} 无法恢复：${safeLine(why.zh)}\n`,
      }),
    );
  return texts.join('');
}

/** Of files that are all removed, more are shown: each is a line. */
async function previewsText(files: readonly RestorableFile[], drawing: Drawing): Promise<string> {
  const most = files.every(({ does }) => does === 'remove') ? MAX_REMOVED : MAX_SHOWN;
  const texts: string[] = [];
  for (const file of files.slice(0, most)) texts.push(await previewText(file, drawing));
  return [...texts, ...(files.length > most ? [moreText(files.length - most)] : [])].join('');
}

async function previewText(file: RestorableFile, drawing: Drawing): Promise<string> {
  return `${file.changedSince ? `${safeLine(sharedText(file))}\n` : ''}${await differenceOf(file, drawing)}`;
}

const differenceOf = async ({ preview }: RestorableFile, drawing: Drawing): Promise<string> =>
  `${diffLines(await preview(), drawing).join('\n')}\n`;
