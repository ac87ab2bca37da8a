import { type Bilingual, localize } from '../../domain/language.ts';
import type { Choice } from '../input/prompts.ts';
import { diffLines } from '../text/diff-text.ts';
import { formatCount, pluralize } from '../text/format.ts';
import type { Drawing } from '../text/paint.ts';
import { safeLine } from '../text/safe-text.ts';
import { padEnd } from '../text/text-width.ts';
import type { FileOutcome, RestorableFile, RestorableFiles, RestoreWay } from './restorable-file.ts';

export type RestoreDialog = {
  readonly drawing: Drawing;
  /** Text for the screen, made safe, with its line end. */
  readonly show: (text: string) => void;
  /** A question whose default is no. Where nobody is asked, the answer is `own`: yes would touch nothing but what SanBot itself wrote. */
  readonly ask: (question: string, own: boolean) => Promise<boolean>;
  /** The differences were seen and agreed to; what somebody else changed too is asked about all the same. */
  readonly isAgreed?: boolean;
  /** One of the ways, the first where nobody chooses; `own` is the answer where nobody is asked. */
  readonly choose: (question: string, ways: readonly Choice<RestoreWay>[], own: RestoreWay) => Promise<RestoreWay>;
};

type Decision = { readonly file: RestorableFile; readonly way: RestoreWay };

/** Together what only SanBot changed, then what it made, then each that somebody else changed too. All else is left as it is and told. */
export async function restoreFiles(
  { files, unrestorable, restore }: RestorableFiles,
  dialog: RestoreDialog,
): Promise<readonly FileOutcome[]> {
  const isShared = ({ changedSince, earlier }: RestorableFile): boolean => changedSince || earlier !== undefined;
  const [shared, own] = [files.filter(isShared), files.filter((file) => !isShared(file))];
  const [back, removed] = [own.filter(({ does }) => does !== 'remove'), own.filter(({ does }) => does === 'remove')];
  const decisions: readonly Decision[] = [
    ...(await decideTogether(back, restoreQuestion(back), dialog)),
    ...(await decideTogether(removed, removeQuestion(removed), dialog)),
    ...(await decideEach(shared, dialog)),
  ];
  const chosen = decisions.flatMap(({ file, way }) => targetOf(file, way) ?? []);
  const problems = new Map((chosen.length === 0 ? [] : await restore(chosen)).map(({ path, why }) => [path, why]));
  const outcomes = [
    ...unrestorable.map(({ path, name, why }): FileOutcome => ({ path, name, outcome: 'left', why: localize(why) })),
    ...decisions.map((decision) => outcomeOf(decision, problems)),
  ];
  dialog.show(outcomesText(outcomes));
  return outcomes;
}

const MAX_SHOWN = 20;
const MAX_REMOVED = 200;

async function decideTogether(
  files: readonly RestorableFile[],
  question: string,
  { show, ask, drawing, isAgreed = false }: RestoreDialog,
): Promise<readonly Decision[]> {
  if (files.length === 0) return [];
  if (isAgreed) return files.map((file) => ({ file, way: 'restore' }));
  const most = files.every(({ does }) => does === 'remove') ? MAX_REMOVED : MAX_SHOWN;
  for (const file of files.slice(0, most)) show(await previewText(file, drawing));
  if (files.length > most) show(moreText(files.length - most));
  const way = (await ask(question, true)) ? 'restore' : 'leave';
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

const waysOf = (file: RestorableFile, more: number): readonly Choice<RestoreWay>[] => {
  const { beside, earlier } = file;
  const texts = choiceTexts(file, more);
  return [
    { name: texts.leave, value: 'leave' },
    { name: texts.restore, value: 'restore' },
    ...(beside === undefined ? [] : [{ name: texts.beside, value: 'beside' } as const]),
    ...(earlier === undefined ? [] : [{ name: texts.earlier, value: 'earlier' } as const]),
    ...(more === 0 ? [] : [{ name: texts.leaveAll, value: 'leave_all' } as const]),
  ];
};

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
  if (target === undefined || problem !== undefined) return { path, name, outcome: 'left', why: localize(problem ?? whyLeft(file)) };
  if (way === 'beside')
    return { path, name, outcome: 'left', why: localize({ en: `${target.name} holds what it was`, zh: `原内容在 ${target.name}` }) };
  return { path, name, outcome: target.items.every(({ to }) => to === null) ? 'removed' : 'restored' };
}

export async function filesPreviewText({ files, unrestorable }: RestorableFiles, drawing: Drawing): Promise<string> {
  const texts: string[] = [];
  for (const file of files) texts.push(await previewText(file, drawing));
  for (const { name, why } of unrestorable)
    texts.push(
      localize({
        en: `${safeLine(name)} cannot be restored: ${safeLine(why.en)}\n`,
        zh: `${safeLine(name)} 无法恢复：${safeLine(why.zh)}\n`,
      }),
    );
  return texts.join('');
}

async function previewText(file: RestorableFile, drawing: Drawing): Promise<string> {
  return `${file.changedSince ? `${safeLine(sharedText(file))}\n` : ''}${await differenceOf(file, drawing)}`;
}

const differenceOf = async ({ preview }: RestorableFile, drawing: Drawing): Promise<string> =>
  `${diffLines(await preview(), drawing).join('\n')}\n`;

type Restored = Pick<RestorableFile, 'name' | 'does' | 'changedSince' | 'changedBy' | 'isFolder' | 'beside'>;

export const moreText = (count: number): string =>
  localize({ en: `… and ${formatCount(count)} more\n`, zh: `……另有 ${formatCount(count)} 项\n` });

const NEW_SINCE = { en: 'it did not exist then', zh: '当时不存在' };
const NOT_ASKED = { en: 'not asked for', zh: '未要求' };
const BY_OTHERS = { en: 'changed since, not by SanBot', zh: '此后有改动，不是 SanBot 所为' };
const BETWEEN = { en: 'somebody else changed it in between', zh: '其间有他人改动' };

export const whyLeft = ({ changedSince, changedBy, does }: Restored): Bilingual =>
  changedSince ? (changedBy ?? BY_OTHERS) : does === 'remove' ? NEW_SINCE : NOT_ASKED;

export function sharedText({ name, changedSince, changedBy = BY_OTHERS }: Restored): string {
  const why = changedSince ? changedBy : BETWEEN;
  return localize({ en: `${name}: ${why.en}`, zh: `${name}：${why.zh}` });
}

export function choiceTexts({ changedSince, does, beside }: Restored, more: number) {
  const undo = does === 'remove' ? { en: 'Remove it', zh: '删除' } : { en: 'Restore what it was', zh: '恢复原内容' };
  const name = beside?.name ?? '';
  return {
    leave: localize({ en: 'Leave it as it is', zh: '保持现状' }),
    restore: localize(changedSince ? undo : { en: 'Restore what they made of it', zh: '恢复为他人改动后的内容' }),
    beside: localize({ en: `Leave it, and write what it was to ${name}`, zh: `保持现状，并把原内容写入 ${name}` }),
    earlier: localize({ en: 'Restore what it was before all of that', zh: '恢复为所有改动之前的内容' }),
    leaveAll: localize({ en: `Leave it and the other ${more}`, zh: `保持现状，其余 ${more} 项也不动` }),
  };
}

const countText = (files: readonly Restored[]): Bilingual =>
  files.some(({ isFolder }) => isFolder === true)
    ? { en: `${files.length} files and folders`, zh: `${files.length} 个文件和文件夹` }
    : { en: pluralize(files.length, 'file'), zh: `${files.length} 个文件` };

export function removeQuestion(files: readonly Restored[]): string {
  const [first] = files;
  if (files.length === 1 && first !== undefined)
    return localize({ en: `Remove ${first.name} (it did not exist then)?`, zh: `删除 ${first.name}（当时不存在）吗？` });
  const { en, zh } = countText(files);
  return localize({ en: `Remove ${en} that did not exist then?`, zh: `删除当时不存在的 ${zh}吗？` });
}

export function restoreQuestion(files: readonly Restored[]): string {
  const [first] = files;
  if (files.length === 1 && first !== undefined) return localize({ en: `Restore ${first.name}?`, zh: `恢复 ${first.name} 吗？` });
  const { en, zh } = countText(files);
  return localize({ en: `Restore ${en}?`, zh: `恢复 ${zh}吗？` });
}

const outcomeNames: Bilingual<Readonly<Record<FileOutcome['outcome'], string>>> = {
  en: { restored: 'restored', removed: 'removed', left: 'left' },
  zh: { restored: '已恢复', removed: '已删除', left: '未改动' },
};
const bracketed = (text: string): string => localize({ en: ` (${text})`, zh: `（${text}）` });

export function outcomesText(outcomes: readonly FileOutcome[]): string {
  if (outcomes.length === 0)
    return localize({
      en: 'No file that SanBot has changed since then differs from what it was.\n',
      zh: 'SanBot 此后修改过的文件都与当时相同。\n',
    });
  const shown = (['restored', 'removed', 'left'] as const).flatMap((outcome) => {
    const all = outcomes.filter((each) => each.outcome === outcome);
    const most = outcome === 'left' ? MAX_LEFT : MAX_DONE;
    const more = all.length > most ? [`${padEnd(localize(outcomeNames)[outcome], 8)}  ${moreText(all.length - most)}`] : [];
    return [...all.slice(0, most).map(resultText), ...more];
  });
  return shown.join('');
}

/** Of what was done as it was asked, nobody reads each; of what was not, each is told with its reason. */
const MAX_DONE = 50;
const MAX_LEFT = 500;

const resultText = ({ name, outcome, why }: FileOutcome): string =>
  `${padEnd(localize(outcomeNames)[outcome], 8)}  ${safeLine(name)}${why === undefined ? '' : bracketed(safeLine(why))}\n`;
