import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isHarmless } from '../../../src/store/doctor/finding.ts';
import { spread, tellKills, twoAtATime } from '../../crash/kills.ts';
import { folders } from '../../support/destructive.ts';
import { commands } from '../../support/destructive-commands.ts';
import { differences, type FolderFacts, factsOf } from '../../support/folder-facts.ts';
import { falseClaims } from '../../support/kept-claims.ts';
import { processesWith } from '../../support/process-table.ts';
import { isDrawn, isWhole, twentieth } from '../../support/share.ts';
import { type UndoWorld, undoWorld } from '../../support/undoing.ts';
import { until } from '../../support/until.ts';

/** Where a process is ended: at a step of SanBot's on the disk, before or after the command or in the restore, or by the command itself. */
type Point =
  | { readonly within: 'turn' | 'restore'; readonly step: number; readonly called: string }
  | { readonly within: 'command'; readonly when: 'before' | 'meanwhile' | 'after' };
type Case = { readonly kind: string; readonly command: string };

const kinds = Object.keys(folders);
/** Each command in one kind of folder, which are taken in turn. */
const cases = commands.map((command, at) => ({ command, kind: kinds[(at * 4 + Math.floor(at / kinds.length)) % kinds.length] ?? '' }));
/** What is written before a command, after it, and in a restore. */
const OF_CHANGES = /^(?:objects|contents|changes|restore)\./;

test('a process that is killed before, in or after a command, or in the restore, leaves all that it takes to undo it', async () => {
  const found = await twoAtATime(
    cases.filter((_, at) => isDrawn(at)),
    async (one) => {
      const points = await pointsOf(one);
      // Of 20 kills, each of which takes three processes, two at a time are tried in `npm run test:full`.
      const chosen = isWhole ? points : points.filter((_, at) => at % 10 === (twentieth ?? 0) % 10);
      const wrong: string[] = [];
      for (const point of chosen) wrong.push(...(await killed(one, point)).map((why) => `${one.kind}, ${JSON.stringify(point)}, ${why}`));
      return { kills: chosen.length, steps: points.length, wrong: wrong.map((why) => `${one.command}: ${why}`) };
    },
  );
  const wrong = found.flatMap((each) => each.wrong);
  const [kills, steps] = [found.reduce((sum, each) => sum + each.kills, 0), found.reduce((sum, each) => sum + each.steps, 0)];
  tellKills('commands and their restores', { kills, steps, problems: wrong.length });
  expect(wrong).toEqual([]);
}, 7_200_000);

async function pointsOf({ kind, command }: Case): Promise<readonly Point[]> {
  const made = undoWorld(kind, 'binary');
  const steps = async (within: 'turn' | 'restore', args: readonly string[]): Promise<readonly Point[]> => {
    const file = join(made.world.cwd, within);
    const ran = await made.line(['0', ...args], { STEPS: file });
    if (!existsSync(file)) throw new Error(`${kind}, ${command}: no step was taken: ${JSON.stringify(ran)}`);
    const all = readFileSync(file, 'utf8').trim().split('\n');
    return all.flatMap((called, i) => (OF_CHANGES.test(called) ? [{ within, step: i + 1, called }] : []));
  };
  const turn = await steps('turn', made.turn(command));
  const restore = await steps('restore', made.restore());
  const whens = ['before', 'meanwhile', 'after'] as const;
  return [...spread(turn, 9), ...whens.map((when): Point => ({ within: 'command', when })), ...spread(restore, 8)];
}

async function killed({ kind, command }: Case, point: Point): Promise<readonly string[]> {
  const made = undoWorld(kind, 'here');
  const before = factsOf(made.all);
  const wrong =
    point.within === 'restore' ? await inRestore(command, point.step, before, made) : await inTurn(command, point, before, made);
  const doctor = await made.world.run(['doctor', '--json'], { cwd: made.all });
  const findings: readonly { readonly kind: string }[] = JSON.parse(doctor.out).findings;
  return [
    ...wrong,
    ...falseClaims(made.world).map((path) => `what it claims of ${path} is not there`),
    ...findings.flatMap(({ kind: name }) => (isHarmless({ kind: name }) ? [] : [`doctor: ${name}`])),
  ];
}

let turns = 0;

async function inTurn(command: string, point: Point, before: FolderFacts, made: UndoWorld): Promise<readonly string[]> {
  const begun = join(made.world.cwd, 'begun');
  const isAfter = point.within === 'command' && point.when === 'after';
  const marked = `touch '${begun}'; trap '' PIPE\n${lethal(command, point)}\n${isAfter ? 'kill -9 $PPID' : 'true'}`;
  const step = point.within === 'command' ? 0 : point.step;
  const [name, value] = ['OF_THIS_TURN', `${process.pid}-${++turns}`];
  const ran = await made.line([`${step}`, ...made.turn(marked)], { [name]: value });
  if (ran.signal !== 'SIGKILL') return [`it was not killed, but ended with ${ran.code}: ${ran.err}`];
  // The command is ended with SanBot, wherever it is then.
  await until(() => processesWith(`${name}=${value}`).length === 0);
  if (!existsSync(begun)) return differences(before, factsOf(made.all)).map((why) => `before the command, ${why}`);
  const undone = await made.undoes();
  return [...(undone.code === 0 ? [] : [undone.err]), ...differences(before, factsOf(made.all))];
}

function lethal(command: string, point: Point): string {
  if (point.within !== 'command' || point.when === 'after') return command;
  return point.when === 'before' ? `kill -9 $PPID\n${command}` : `{ ${command}\n} & kill -9 $PPID\nwait`;
}

async function inRestore(command: string, step: number, before: FolderFacts, made: UndoWorld): Promise<readonly string[]> {
  await made.asks(command);
  const after = factsOf(made.all);
  const ran = await made.line([`${step}`, ...made.restore()]);
  if (ran.signal !== 'SIGKILL') return [`it was not killed, but ended with ${ran.code}: ${ran.err}`];
  const { tree } = factsOf(made.all);
  const isEither = (path: string): boolean => [before.tree[path], after.tree[path]].includes(tree[path]);
  const half = Object.keys({ ...before.tree, ...after.tree }).filter(
    (path) => !isEither(path) && !isBetween(path, tree, [before.tree, after.tree]),
  );
  const undone = await made.undoes();
  return [
    ...half.map((path) => `${path} is neither what it was nor what it was to be: ${tree[path]}`),
    ...(undone.code === 0 ? [] : [undone.err]),
    ...differences(before, factsOf(made.all)),
  ];
}

/** Nothing stands there while a folder and another kind take each other's place: no system has a call for that. */
const isBetween = (path: string, now: FolderFacts['tree'], ends: readonly FolderFacts['tree'][]): boolean =>
  now[path] === undefined && new Set(ends.map((tree) => tree[path]?.startsWith('folder'))).size === 2 && ends.every((tree) => path in tree);
