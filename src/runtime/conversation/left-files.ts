import type { LeftOutFiles } from '../../agent/ports/disk.ts';
import { editSets } from '../../context/history/past.ts';
import { localize } from '../../domain/language.ts';
import type { Actor, PutBackProblem } from '../../domain/session/change.ts';
import type { LogRecord } from '../../domain/session/record.ts';
import type { Changes } from '../../store/changes/changes.ts';
import type { LeftOut } from '../../store/changes/left-out.ts';
import { displayPath } from '../../tools/place/place.ts';
import { visibleLine } from '../../tools/place/visible.ts';

const LEFT_OUT = 'left-out-';

/** Who puts back what commands in the sandbox left. */
const leavingOut = (newId: () => string, record: number): Actor => ({
  id: `${LEFT_OUT}${newId()}`,
  title: localize({ en: 'Left out, since it runs later', zh: '未保留，因为之后会自动运行' }),
  record,
});

const keeping = (newId: () => string, record: number): Actor => ({
  id: `kept-${newId()}`,
  title: localize({ en: 'Kept, though it runs later', zh: '已保留，尽管之后会自动运行' }),
  record,
});

type Place = {
  readonly sessionId: string;
  readonly cwd: string;
  readonly record: () => number;
  readonly newId: () => string;
  /** The records of the session. */
  readonly past: () => Iterable<LogRecord>;
};

/** Puts back what commands in the sandbox left that runs later. Rejects with store_failed. */
export async function leaveOutOf(changes: Changes, place: Place): Promise<LeftOutFiles | undefined> {
  const left = await changes.leaveOut(place.cwd, leavingOut(place.newId, place.record()));
  return left && leftFiles(left, changes, place);
}

/** What was put back, as a person and the model are told of it, and how it comes back. */
function leftFiles({ files, problems }: LeftOut, changes: Changes, { sessionId, cwd, record, newId, past }: Place): LeftOutFiles {
  const nameOf = (path: string): string => visibleLine(displayPath(cwd, path), 400);
  const named = (all: readonly PutBackProblem[]) => all.map(({ path, why }) => ({ name: nameOf(path), why }));
  const sets = changes.sets();
  // As `sanbot changes` counts.
  const number = [...editSets(past())].length + sets.findLastIndex(({ by }) => by?.id.startsWith(LEFT_OUT) === true) + 1;
  return {
    files: files.map(({ path, why, after }) => ({ name: nameOf(path), path, why, isBack: after === null })),
    problems: named(problems),
    restore: `sanbot changes --session ${sessionId} --restore ${number}`,
    preview: async () => {
      const { changePreview } = await import('../../tools/files/restore-preview.ts');
      const bytes = changes.read(files.flatMap(({ before, after }) => [before, after]));
      const parts = files.map(({ path, before, after }, i) =>
        changePreview(nameOf(path), { entry: before, bytes: bytes[2 * i] }, { entry: after, bytes: bytes[2 * i + 1] }),
      );
      return (await Promise.all(parts)).map((part) => part.replace(/\n$/, '')).join('\n');
    },
    keep: async () => named(await changes.keepLeft(files, cwd, keeping(newId, record()))),
  };
}
