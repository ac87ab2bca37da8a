import { readFileSync, statSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { pathsOf } from '../../src/store/files/paths.ts';
import { isDrawn, isWhole } from '../support/share.ts';
import { headerOf } from '../unit/store/files/world.ts';
import { spread, tellKills, twoAtATime } from './kills.ts';
import { checkAfterKill } from './store-invariants.ts';
import { allSaid, newHome, startWork, storeIn } from './store-world.ts';

/** The steps of one undisturbed life, in order. */
async function pointsOfLife(pieces?: number): Promise<readonly string[]> {
  const worker = startWork({ home: newHome(), script: 'life', ...(pieces === undefined ? {} : { pieces }) });
  const said = await allSaid(worker);
  const points = said.at(-1)?.points;
  if (!Array.isArray(points)) throw new Error(`the script failed: ${(await worker.ended).errors}`);
  return points;
}

async function liveAndDie(killAt: number, pieces?: number): Promise<void> {
  const home = newHome();
  const worker = startWork({ home, script: 'life', killAt, ...(pieces === undefined ? {} : { pieces }) });
  const said = await allSaid(worker);
  expect(await worker.ended).toMatchObject({ signal: 'SIGKILL', errors: '' });
  checkAfterKill(home, said);
}

async function killEach(what: string, steps: readonly number[], of: number, run: (step: number) => Promise<void>): Promise<void> {
  await twoAtATime(steps, async (step) => {
    try {
      await run(step);
    } catch (error) {
      throw new Error(`killed at step ${step}: ${error instanceof Error ? error.message : error}`, { cause: error });
    }
  });
  tellKills(what, { kills: steps.length, steps: of });
}

describe('a process killed', () => {
  test('at any step of its work loses nothing that it acknowledged, and leaves nothing half done [D-01, D-02, D-03, D-04, D-26, B15, F5, S3, S17, X5, I1, I2, I3, I4, I5, I6]', async () => {
    const points = await pointsOfLife();
    const all = points.map((_, i) => i);
    // At the least some kinds of step, each where it comes last; before a file is opened and after its end nothing is half done.
    const telling = all.filter((i) => points.lastIndexOf(points[i] ?? '') === i && !/\.(open|end)$/.test(points[i] ?? ''));
    const least = new Set(spread(telling, 16));
    const chosen = all.filter((i) => least.has(i) || isDrawn(i));
    await killEach('the store at work', chosen, all.length, liveAndDie);
  }, 600_000);

  test('in the middle of any write leaves a torn line at most, set aside and told [D-01, D-05, D-06, P20]', async () => {
    const points = await pointsOfLife(100);
    const writes = points.flatMap((point, i) => (/^(append|bodies|snapshot|meta|summary)\.write$/.test(point) ? [i] : []));
    const chosen = writes.filter((_, i) => i % 16 === 3 || isDrawn(i));
    await killEach('in the middle of a write', chosen, writes.length, (k) => liveAndDie(k, 100));
  }, 600_000);

  test('from outside while it appends lines of 100 KB and 1 MB keeps every line it acknowledged, and opens twice [D-05]', async () => {
    const rounds = Array.from({ length: 30 }, (_, i) => i).filter((i) => i < 4 || isDrawn(i));
    await killEach('from outside', rounds, rounds.length, async (round) => {
      const home = newHome();
      const worker = startWork({ home, script: 'append' });
      for (let acknowledged = 0; acknowledged < 2 + ((round * 7) % 13); acknowledged++) await worker.next();
      worker.kill();
      const last = (await allSaid(worker)).reduce((highest, { appended }) => Math.max(highest, Number(appended)), 1 + ((round * 7) % 13));
      await worker.ended;
      const { store } = storeIn(home);
      const opened = store.sessions.open('s1');
      expect(opened.records.length).toBeGreaterThanOrEqual(last);
      expect(opened.records.map(({ n }) => n)).toEqual(opened.records.map((_, i) => i + 1));
      expect(opened.warnings.length).toBeLessThanOrEqual(1);
      opened.log.append({ type: 'model', model: 'after' });
      opened.log.close();
      const again = store.sessions.open('s1');
      expect([again.records.length, again.warnings]).toEqual([opened.records.length + 1, []]);
      again.log.close();
    });
  });
});

describe('two processes', () => {
  test('on one session: the second is told who has it, and may have it once the first was killed [C-04, C-07, P18]', async () => {
    const home = newHome();
    const { store } = storeIn(home);
    store.sessions.create(headerOf('s1')).log.close();
    const before = readFileSync(pathsOf(home).log('s1'));
    const holder = startWork({ home, script: 'hold' });
    expect(await holder.next()).toEqual({ held: holder.pid });
    expect(() => store.sessions.open('s1')).toThrow(new RegExp(`process ${holder.pid},`));
    expect(store.sessions.list()).toMatchObject([{ open: true }]);
    expect(readFileSync(pathsOf(home).log('s1')).equals(before)).toBe(true);
    holder.kill();
    await holder.ended;
    expect(store.sessions.list()).toMatchObject([{ open: false }]);
    store.sessions.open('s1').log.close();
  });

  test('racing for a lock that a dead one left: never two have it, and one gets it [C-05]', async () => {
    const home = newHome();
    const { store } = storeIn(home);
    store.sessions.create(headerOf('s1')).log.close();
    const racers = Array.from({ length: isWhole ? 8 : 4 }, () => startWork({ home, script: 'race' }));
    await Promise.all(racers.map((racer) => racer.next()));
    let held = 0;
    for (let round = 0; round < (isWhole ? 40 : 4); round++) {
      const holder = startWork({ home, script: 'hold' });
      await holder.next();
      holder.kill();
      await holder.ended;
      for (const racer of racers) racer.order('try');
      const answers = await Promise.all(racers.map((racer) => racer.next()));
      expect(answers.filter((answer) => answer?.held !== undefined)).toHaveLength(1);
      held += 1;
      for (const racer of racers) racer.order('release');
      await Promise.all(racers.map((racer) => racer.next()));
    }
    // Each holder was killed from outside.
    tellKills(`a lock left to ${racers.length} processes`, { kills: held, steps: held });
    for (const racer of racers) racer.order('end');
    const opened = store.sessions.open('s1');
    expect(opened.warnings).toEqual([]);
    expect(opened.records.map(({ n }) => n)).toEqual(Array.from({ length: held }, (_, i) => i + 1));
    opened.log.close();
  });

  test('that write events and memories at once lose none of them [C-01, C-03, C-13, O8]', async () => {
    const home = newHome();
    // Within what the full files that are kept can hold.
    const [count, small, large] = isWhole ? [8, 200, 7] : [4, 20, 2];
    const writers = Array.from({ length: count }, () => startWork({ home, script: 'share' }));
    await Promise.all(writers.map((writer) => writer.next()));
    for (const writer of writers) writer.order(`go\n${JSON.stringify({ small, large })}`);
    for (const writer of writers) expect(await writer.next(), (await writer.ended).errors).toEqual({ done: true });
    const { store } = storeIn(home);
    const seen = new Map<string, number>();
    const { damaged } = store.events.read({}, ({ sessionId, type }) => {
      const key = `${sessionId} ${type}`;
      seen.set(key, (seen.get(key) ?? 0) + 1);
    });
    expect(damaged).toBe(0);
    expect([...seen.values()].sort()).toEqual([...writers.map(() => large), ...writers.map(() => small)].sort());
    const facts = store.memories('main').read('facts');
    for (const { pid } of writers) for (let i = 0; i < small; i += 4) expect(facts).toContain(`fact ${i} of ${pid} `);
  });
});

test.runIf(isWhole)('a log of 500 MB opens by its end [D-38, N5]', async () => {
  const home = newHome();
  const { store } = storeIn(home);
  const { log } = store.sessions.create(headerOf('s1'));
  const context = { system: '', shortTermSummary: '', tools: [], messages: [], anchorFloor: 0 };
  for (let i = 0; i < 500; i++) {
    log.append({ type: 'model', model: 'x'.repeat(1_000_000) });
    if (i % 5 === 4) log.append({ type: 'checkpoint', reason: 'repeat', context });
  }
  log.close();
  expect(statSync(pathsOf(home).log('s1')).size).toBeGreaterThan(500_000_000);
  const before = process.memoryUsage().rss;
  const start = performance.now();
  const opened = store.sessions.open('s1');
  console.log(
    `a log of ${Math.round(statSync(pathsOf(home).log('s1')).size / 1e6)} MB: opened in ${(performance.now() - start).toFixed(1)} ms`,
  );
  expect(opened.records).toHaveLength(1);
  expect(process.memoryUsage().rss - before).toBeLessThan(200_000_000);
  opened.log.close();
});
