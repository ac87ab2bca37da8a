import { statSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { pathsOf } from '../../src/store/files/paths.ts';
import { isDrawn, isWhole } from '../support/share.ts';
import { killEach } from '../support/store-kill.ts';
import { headerOf } from '../unit/store/files/world.ts';
import { spread } from './kills.ts';
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

describe('a process killed', () => {
  test('at any step of its work loses nothing that it acknowledged, and leaves nothing half done [D-01, D-02, D-03, D-04, D-26, B15, F5, S3, S17, X5, I1, I2, I3, I4, I5, I6]', async () => {
    const points = await pointsOfLife();
    const all = points.map((_, i) => i);
    // At the least some kinds of step, each where it comes last; before a file is opened and after its end nothing is half done.
    const telling = all.filter((i) => points.lastIndexOf(points[i] ?? '') === i && !/\.(open|end)$/.test(points[i] ?? ''));
    const least = new Set(spread(telling, 10));
    const chosen = all.filter((i) => least.has(i) || isDrawn(i));
    await killEach('the store at work', chosen, all.length, liveAndDie);
  }, 600_000);

  test('in the middle of any write leaves a torn line at most, set aside and told [D-01, D-05, D-06, P20]', async () => {
    const points = await pointsOfLife(100);
    const writes = points.flatMap((point, i) => (/^(append|bodies|snapshot|meta|summary)\.write$/.test(point) ? [i] : []));
    const chosen = writes.filter((_, i) => i % 32 === 3 || isDrawn(i));
    await killEach('in the middle of a write', chosen, writes.length, (k) => liveAndDie(k, 100));
  }, 600_000);
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
