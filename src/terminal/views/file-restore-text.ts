import { SanbotError } from '../../domain/errors.ts';
import { type Bilingual, localize, sameInBoth } from '../../domain/language.ts';
import { groupBy } from '../../domain/lists.ts';
import { formatCount, pluralize } from '../text/format.ts';
import { safeLine } from '../text/safe-text.ts';
import { padEnd } from '../text/text-width.ts';
import type { FileOutcome, RestorableFile } from './restorable-file.ts';

type Restored = Pick<RestorableFile, 'name' | 'does' | 'changedSince' | 'changedBy' | 'isFolder' | 'isUnwatched' | 'beside'>;

export const moreText = (count: number): string =>
  localize({ en: `… and ${formatCount(count)} more\n`, zh: `……另有 ${formatCount(count)} 项\n` });

const NEW_SINCE = { en: 'it did not exist then', zh: '当时不存在' };
const NOT_ASKED = { en: 'not asked for', zh: '未要求' };
const BY_OTHERS = { en: 'changed since, not by SanBot', zh: '此后有改动，不是 SanBot 所为' };
const BETWEEN = { en: 'somebody else changed it in between', zh: '其间有他人改动' };

/** Why a file that could have been restored stays as it is. */
export const whyLeft = ({ changedSince, changedBy, does }: Restored): Bilingual =>
  changedSince ? (changedBy ?? BY_OTHERS) : does === 'remove' ? NEW_SINCE : NOT_ASKED;

/** Asked of a file that somebody else changed too. */
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

/** What is counted: files, or things, where folders are among them. */
const countText = (files: readonly Restored[]): Bilingual =>
  files.some(({ isFolder }) => isFolder === true)
    ? { en: `${files.length} files and folders`, zh: `${files.length} 个文件和文件夹` }
    : { en: pluralize(files.length, 'file'), zh: `${files.length} 个文件` };

const UNWATCHED: Bilingual = {
  en: 'It changed while a command ran in the background, and may be your own work. ',
  zh: '更改发生在后台命令运行期间，也可能是你自己所改。',
};

/** Asked of files that only SanBot changed, or all of which it may be that nobody else did. */
export function groupQuestion(files: readonly Restored[]): string {
  const [first] = files;
  const { en, zh } = first !== undefined && files.length === 1 ? sameInBoth(first.name) : countText(files);
  const isOne = files.length === 1;
  const beginning: Bilingual = first?.isUnwatched === true ? UNWATCHED : sameInBoth('');
  const asked: Bilingual =
    first?.does !== 'remove'
      ? { en: `Restore ${en}?`, zh: `恢复 ${zh}吗？` }
      : isOne
        ? { en: `Remove ${en} (it did not exist then)?`, zh: `删除 ${zh}（当时不存在）吗？` }
        : { en: `Remove ${en} that did not exist then?`, zh: `删除当时不存在的 ${zh}吗？` };
  return localize({ en: `${beginning.en}${asked.en}`, zh: `${beginning.zh}${asked.zh}` });
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
    return [...resultRows(all.slice(0, most)), ...more];
  });
  return shown.join('');
}

/** Of what was done as it was asked, nobody reads each; of what was not, each is told with its reason. */
const MAX_DONE = 50;
const MAX_LEFT = 500;

/** A reason that many share stands once, below them. */
function resultRows(outcomes: readonly FileOutcome[]): readonly string[] {
  return [...groupBy(outcomes, ({ why = '' }) => why)].flatMap(([why, group]) => {
    if (why === '' || group.length === 1) return group.map(resultText);
    const reason = localize({ en: `these ${group.length}: ${safeLine(why)}`, zh: `以上 ${group.length} 项：${safeLine(why)}` });
    return [...group.map(({ why: _, ...each }) => resultText(each)), `${' '.repeat(10)}${reason}\n`];
  });
}

/** Throws store_failed where something that was to be brought back was not: it has been told with its reason. */
export function requireRestored(outcomes: readonly FileOutcome[]): void {
  const failed = outcomes.filter((each) => each.failed === true).length;
  if (failed === 0) return;
  throw new SanbotError(
    'store_failed',
    { en: `${pluralize(failed, 'file')} could not be brought back`, zh: `${failed} 个文件未能恢复` },
    {
      en: 'The reason stands above. The rest is done; the same command tries these again.',
      zh: '原因见上。其余已完成；再次运行同一命令会重试这些文件。',
    },
  );
}

const resultText = ({ name, outcome, why }: FileOutcome): string =>
  `${padEnd(localize(outcomeNames)[outcome], 8)}  ${safeLine(name)}${why === undefined ? '' : bracketed(safeLine(why))}\n`;
