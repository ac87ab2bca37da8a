import { expect, test } from 'vitest';
import { answers, calls, says, user } from '../../../support/build.ts';
import { storeOf } from '../files/world.ts';
import { recallIn, session } from './recall-world.ts';

const project = '/home/dev/shop';

/** Two sessions in the project, one below it, and two elsewhere, of which one bears a name that begins alike. */
function shops() {
  const made = storeOf();
  const at = (day: string) => ({ at: `2026-01-${day}T00:00:00.000Z` });
  session(made, 's1', [{ ...user('the otter gate is slow'), ...at('01') }], { cwd: project });
  session(made, 's2', [{ ...says('the gate is green'), ...at('02') }], { cwd: `${project}/packages/ui` });
  session(made, 's3', [{ ...says('the otter gate, the otter gate, the otter gate'), ...at('03') }], { cwd: '/home/dev/zoo' });
  session(made, 's4', [{ ...says('otter gate'), ...at('04') }], { cwd: `${project}-old` });
  session(made, 's5', [{ ...says('otter gate'), ...at('05') }], { cwd: project, group: 'other' });
  return made;
}

test('hits of the project come first, and those of other folders follow with their folder', async () => {
  const { find } = recallIn(shops());
  const hits = await find('otter gate', { project });
  expect(hits.map(({ sessionId }) => sessionId).slice(0, 2)).toEqual(['s1', 's2']);
  expect(hits.map(({ sessionId, folder }) => [sessionId, folder]).slice(2)).toEqual(
    expect.arrayContaining([
      ['s3', '/home/dev/zoo'],
      ['s4', `${project}-old`],
    ]),
  );
  expect(hits.slice(0, 2).map(({ folder }) => folder)).toEqual([undefined, undefined]);
});

test('with all, every folder is ranked alike and still labelled, and another group is never seen', async () => {
  const { find } = recallIn(shops());
  const hits = await find('otter gate', { project, all: true });
  expect(hits.map(({ sessionId }) => sessionId).at(-1)).toBe('s2');
  expect(hits.find(({ sessionId }) => sessionId === 's3')?.folder).toBe('/home/dev/zoo');
  for (const wish of [{ project }, { project, all: true }, {}])
    expect((await find('otter gate', wish)).map(({ sessionId }) => sessionId)).not.toContain('s5');
});

test('decisions and failures are found by kind and time, without words the newest first', async () => {
  const made = storeOf();
  const at = (day: string) => ({ at: `2026-01-${day}T00:00:00.000Z` });
  session(made, 's1', [
    { ...user('should we use libsql or postgres?'), ...at('01') },
    { ...says('We decided to use libsql for the index.'), ...at('02') },
    { ...user('我们决定使用两个空格缩进'), ...at('03') },
    { ...says('The build is running.'), ...at('04') },
    { ...calls({ id: 'a', name: 'run_command', input: { command: 'npm test' } }), ...at('05') },
    { ...answers({ id: 'a', content: 'exit 1\nwe decided nothing', isError: true }), ...at('05') },
  ]);
  const { refs } = recallIn(made);
  expect(await refs('', { decisions: true })).toEqual(['s1:3', 's1:2']);
  expect(await refs('', { decisions: true, until: new Date('2026-01-03') })).toEqual(['s1:2']);
  expect(await refs('libsql', { decisions: true })).toEqual(['s1:2']);
  expect(await refs('', { errors: true })).toEqual(['s1:5.0']);
  expect(await refs('', { since: new Date('2026-01-04') })).toEqual(['s1:5.0', 's1:4']);
});

test('of a failure the error is shown, however far it is from the words that were looked for', async () => {
  const made = storeOf();
  const filler = 'compiling another file of the gate\n'.repeat(200);
  session(made, 's1', [
    calls({ id: 'a', name: 'run_command', input: { command: 'npm run build:gate' } }),
    answers({ id: 'a', content: `exit 2\n${filler}src/gate.ts(3,7): error TS2322: not assignable\n`, isError: true }),
  ]);
  const [hit] = await recallIn(made).find('build:gate', { errors: true });
  expect(hit?.snippet.text).toContain('command: npm run build:gate');
  expect(hit?.snippet.text).toContain('error TS2322');
});

test('the same text in many places is one hit that names them all', async () => {
  const made = storeOf();
  for (const n of [1, 2, 3]) session(made, `s${n}`, [{ ...says('the badger key is in the vault'), at: `2026-01-0${n}T00:00:00.000Z` }]);
  const hits = await recallIn(made).find('badger vault');
  expect(hits.map(({ ref, copies }) => [ref, copies.toSorted()])).toEqual([['s3:1', ['s1:1', 's2:1']]]);
});
