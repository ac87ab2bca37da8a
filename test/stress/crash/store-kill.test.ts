import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { pathsOf } from '../../../src/store/files/paths.ts';
import { tellKills } from '../../crash/kills.ts';
import { allSaid, newHome, startWork, storeIn } from '../../crash/store-world.ts';
import { isDrawn, isWhole } from '../../support/share.ts';
import { killEach } from '../../support/store-kill.ts';
import { headerOf } from '../../unit/store/files/world.ts';

describe('a process killed', () => {
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
