import type { Verdict } from './judge.ts';
import type { Numbered } from './switches.ts';

/** Where what people keep is at stake, more is asked of the tests. */
const WATCHED = ['src/store', 'src/agent/compaction', 'src/agent/rollback', 'src/tools/place', 'src/context/permission'];
const GOAL = 0.85;
const WATCHED_GOAL = 0.95;

type Judged = Numbered & Verdict;

/** What was killed by room, and each fault that no test saw. `isReached` tells whether both goals are. */
export function reportOf(
  faults: readonly Numbered[],
  verdicts: readonly Verdict[],
): { readonly text: string; readonly isReached: boolean } {
  const byId = new Map(verdicts.map((verdict) => [verdict.id, verdict]));
  const judged: readonly Judged[] = faults.flatMap((fault) => {
    const verdict = byId.get(fault.id);
    return verdict === undefined ? [] : [{ ...fault, ...verdict }];
  });
  const watched = judged.filter(({ file }) => WATCHED.some((folder) => isIn(folder, file)));
  const rooms = [...new Set(judged.map(({ file }) => roomOf(file)))].toSorted();
  const rows = [
    ...rooms.map((room) =>
      row(
        room,
        judged.filter(({ file }) => roomOf(file) === room),
      ),
    ),
    ...WATCHED.map((folder) =>
      row(
        `(${folder})`,
        watched.filter(({ file }) => isIn(folder, file)),
      ),
    ),
    row(`watched, goal ${percent(WATCHED_GOAL)}`, watched),
    row(`all, goal ${percent(GOAL)}`, judged),
  ];
  const survivors = judged.filter((each) => !isKilled(each)).map(survivor);
  return {
    text: ['killed survived share room', ...rows.filter((each) => each !== ''), '', ...survivors].join('\n'),
    isReached: shareOf(judged) >= GOAL && (watched.length === 0 || shareOf(watched) >= WATCHED_GOAL),
  };
}

const isIn = (folder: string, file: string): boolean => file === `${folder}.ts` || file.startsWith(`${folder}/`);
const roomOf = (file: string): string => file.split('/').slice(0, 2).join('/');
const isKilled = ({ outcome }: Verdict): boolean => outcome === 'killed' || outcome === 'hangs';
const shareOf = (judged: readonly Judged[]): number => judged.filter(isKilled).length / judged.length;
const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

function row(name: string, judged: readonly Judged[]): string {
  if (judged.length === 0) return '';
  const killed = judged.filter(isKilled).length;
  return `${String(killed).padStart(6)} ${String(judged.length - killed).padStart(8)} ${percent(killed / judged.length).padStart(7)} ${name}`;
}

const survivor = ({ file, line, kind, change, outcome, files, id }: Judged): string =>
  `${file}:${line} ${kind}: ${change} [${id}; ${outcome === 'unreached' ? 'no test reaches it' : `${files} test files`}]`;
