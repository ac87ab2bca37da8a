import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { isFileChange } from '../../../src/domain/session/change.ts';
import { setsOfSession } from '../../../src/store/changes/change-lines.ts';
import { createContents } from '../../../src/store/changes/contents.ts';
import { pathsOf } from '../../../src/store/files/paths.ts';
import { stepsToKill, tellKills, twoAtATime } from '../../crash/kills.ts';
import { wrongAfterwards } from '../../crash/many-runs.ts';
import { copyOfWorld } from '../../support/copied-world.ts';
import { createSandbox, driver, type Ran, type Sandbox } from '../../support/sanbot.ts';
import { worldOf } from '../../unit/store/files/world.ts';

const ENV = { SANBOT_CONTEXT_WINDOW: '16000', SANBOT_PROVIDER: 'offline' };
/** What the next turn leaves where it does not come by, such as at a page of the memory; who comes by clears it away. */
const HARMLESS = ['stale_lock', 'temporary'];
const STATES = [undefined, 'one\ntwo', 'one\n二'];

let prepared: Sandbox;
let sessionId: string;

beforeAll(async () => {
  prepared = createSandbox(ENV);
  mkdirSync(prepared.home, { mode: 0o700 });
  // Said although these are the defaults: nothing but the work itself touches the disk here.
  writeFileSync(join(prepared.home, 'config.json'), JSON.stringify({ compaction: { background: false }, hooks: {} }), { mode: 0o600 });
  expect(await prepared.run(['-p', 'we must never delete vendor/lib.ts'])).toMatchObject({ code: 0 });
  sessionId = prepared.names('sessions')[0] ?? '';
});

test('a process killed at any step of pinning, planning, writing and naming leaves all that was acknowledged, and files that are old or new [D-01, D-03, S3, X5]', async () => {
  const dry = copyOfWorld(prepared, ENV);
  const file = join(dry.home, '..', 'steps');
  const ran = await chat(dry, 0, { STEPS: file });
  expect(ran).toMatchObject({ code: 0, err: '' });
  expect(saidIn(ran).at(-1)).toEqual({ closed: true });
  expect(whatIsWrong(dry, saidIn(ran))).toEqual([]);
  const steps = readFileSync(file, 'utf8').trim().split('\n');
  const chosen = stepsToKill(steps.length, { least: 4 });
  const killed = await twoAtATime(chosen, async (kill) => {
    const world = copyOfWorld(prepared, ENV);
    const { code, signal, err, out } = await chat(world, kill);
    const wrong = whatIsWrong(world, saidIn({ out }));
    return { kill, world, wrong: signal === 'SIGKILL' ? wrong : [...wrong, `it was not killed but ended with ${code}: ${err}`] };
  });
  const later = await wrongAfterwards(
    killed.map(({ world }) => world),
    HARMLESS,
  );
  const problems = killed.flatMap(({ kill, wrong }, i) =>
    [...wrong, ...(later[i] ?? [])].map((what) => `killed at step ${kill} (${steps[kill - 1]}): ${what}`),
  );
  tellKills('pins, tasks, files, title', { kills: chosen.length, steps: steps.length, problems: problems.length });
  expect(problems).toEqual([]);
}, 1_200_000);

type Said = {
  readonly pinned?: boolean;
  readonly planned?: readonly string[];
  readonly wrote?: string;
  readonly titled?: string;
  readonly ended?: string;
};

/** What had been acknowledged is in the log, and what a file held before and after a change is on disk before the file changes. */
function whatIsWrong(world: Sandbox, said: readonly Said[]): string[] {
  const log = world.records(`sessions/${sessionId}/log.jsonl`);
  const text = JSON.stringify(log);
  const of = (type: string) => log.filter((record) => record.type === type);
  const wrong: string[] = [];
  const must = (holds: boolean, what: string) => void (holds || wrong.push(what));
  for (const { pinned, planned, wrote, titled, ended } of said) {
    if (pinned) must(JSON.stringify(of('pins')).includes('vendor/lib.ts'), 'the pin is gone');
    if (planned !== undefined)
      must(planned.length === 2 && planned.every((item) => text.includes(`{"text":"${item}"`)), 'the task list is gone');
    if (wrote !== undefined)
      must(STATES.indexOf(wrote) <= STATES.indexOf(notes(world)), `notes.txt is older than ${JSON.stringify(wrote)}`);
    if (titled !== undefined)
      must(
        of('title').some(({ title }) => title === titled),
        'the title is gone',
      );
    if (ended !== undefined) must(text.includes(`"tool_use_id":"${ended}"`), `the result of ${ended} is gone`);
  }
  const state = STATES.indexOf(notes(world));
  must(state !== -1, `notes.txt is neither old nor new: ${JSON.stringify(notes(world))}`);
  const paths = pathsOf(world.home);
  const changes = setsOfSession(paths, sessionId).flatMap((set) => set.changes.filter(isFileChange));
  must(changes.length >= state, `notes.txt has changed ${state} times, and the record knows ${changes.length} of them`);
  const contents = createContents(worldOf({ home: world.home }).disk, paths.changes(sessionId));
  for (const { holds } of changes.flatMap(({ before, after }) => [before, after]).filter((entry) => entry !== null))
    must(contents.read(holds?.slice('sha256:'.length) ?? '') !== undefined, 'a content is not there');
  return wrong;
}

const notes = ({ cwd }: Sandbox): string | undefined =>
  existsSync(join(cwd, 'notes.txt')) ? readFileSync(join(cwd, 'notes.txt'), 'utf8') : undefined;

const saidIn = ({ out }: Pick<Ran, 'out'>): readonly Said[] =>
  out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

const chat = (world: Sandbox, kill: number, env: Record<string, string> = {}): Promise<Ran> =>
  world.runBinary(['chat', String(kill), sessionId], { env, program: driver });
