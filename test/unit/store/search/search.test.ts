import { appendFileSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import Database from 'libsql';
import { describe, expect, test } from 'vitest';
import { answers, calls, says, user } from '../../../support/build.ts';
import { unsealed } from '../../../support/unsealed.ts';
import { storeOf } from '../files/world.ts';
import { plain, recallIn, session } from './recall-world.ts';

describe('what a group said and saw is found', () => {
  test('a call and its result are one document, found by the command and by the error', async () => {
    const made = storeOf();
    session(made, 's1', [
      user('please run the tests'),
      calls({ id: 'a', name: 'run_command', input: { command: 'npm run check:types' } }),
      answers({ id: 'a', content: 'exit 2\nsrc/app.ts(3,7): error TS2322: not assignable', isError: true }),
      calls({ id: 'b', name: 'run_command', input: { command: 'npm run lint' } }),
      answers({ id: 'b', content: 'exit 0\nno error' }),
    ]);
    const { refs, find } = recallIn(made);
    expect(await refs('check:types')).toEqual(['s1:2.0']);
    expect(await refs('TS2322')).toEqual(['s1:2.0']);
    expect((await refs('check:types TS2322'))[0]).toBe('s1:2.0');
    expect(await refs('error', { errors: true })).toEqual(['s1:2.0']);
    expect(await refs('npm', { tool: 'run_command' })).toHaveLength(2);
    expect(await refs('npm', { tool: 'read_file' })).toEqual([]);
    expect(await refs('npm', { role: 'user' })).toEqual([]);
    expect(await refs('tests', { role: 'user' })).toEqual(['s1:1']);
    expect(await refs('npm', { session: 's1' })).toHaveLength(2);
    expect(await refs('npm', { session: 's2' })).toEqual([]);
    expect(plain(await find('assignable'))).toEqual([
      {
        ...{ ref: 's1:2.0', kind: 'tool', tool: 'run_command', failed: true },
        text: expect.stringContaining('command: npm run check:types\nexit 2\nsrc/app.ts(3,7): error TS2322: not assignable'),
      },
    ]);
  });

  test('a call is found also by what was asked for and said when it was made, after all that says it itself, built at once or in steps', async () => {
    const made = storeOf();
    const open = session(made, 's1', [
      user('please mend the otter gate'),
      { ...calls({ id: 'a', name: 'edit_file', input: { path: 'src/gate.ts' } }), id: 'm1' },
    ]);
    const recall = recallIn(made);
    expect(await recall.refs('otter')).toEqual(['s1:1', 's1:2.0']);
    open.append({ type: 'message', message: answers({ id: 'a', content: 'done' }) });
    const twice = calls({ id: 'b', name: 'edit_file', input: { path: 'src/fence.ts' } });
    open.append({ type: 'message', message: { ...twice, content: [{ type: 'text', text: 'now the badger' }, ...twice.content] } });
    open.append({ type: 'message', message: answers({ id: 'b', content: 'done' }) });
    open.append({ type: 'message', message: says('about the otter, which is long mended and of which much could be said') });
    const stepwise = await recall.find('otter');
    expect(
      stepwise
        .map(({ ref }) => ref)
        .slice(0, 2)
        .toSorted(),
    ).toEqual(['s1:1', 's1:6']);
    expect(
      stepwise
        .map(({ ref }) => ref)
        .slice(2)
        .toSorted(),
    ).toEqual(['s1:2.0', 's1:4.1']);
    expect((await recall.refs('edit_file badger'))[0]).toBe('s1:4.1');
    rmSync(recall.index);
    expect(plain(await recall.find('otter'))).toEqual(plain(stepwise));
  });

  test('Chinese words of two characters are found, in what was said and in what a tool returned', async () => {
    const made = storeOf();
    session(made, 's1', [
      user('我们决定使用关系数据库，不要缓存'),
      says('好的'),
      calls({ id: 'a', name: 'search' }),
      answers({ id: 'a', content: '第一行：上传超时' }),
    ]);
    const { refs } = recallIn(made);
    expect(await refs('缓存', { role: 'user' })).toEqual(['s1:1']);
    expect((await refs('数据库'))[0]).toBe('s1:1');
    expect(await refs('超时')).toEqual(['s1:3.0']);
    expect(await refs('据关')).toEqual([]);
  });

  test('parts of identifiers, paths and addresses are found', async () => {
    const made = storeOf();
    session(made, 's1', [user('see src/store/logReader.ts and https://example.org/deep/page, mind MAX_RETRY_COUNT')]);
    const { refs } = recallIn(made);
    for (const query of ['reader', 'logReader.ts', 'src/store', 'example.org', 'deep', 'retry', 'max_retry_count'])
      expect(await refs(query), query).toEqual(['s1:1']);
  });

  test('places with every word come before those with some, and of equal ones the newest first', async () => {
    const made = storeOf();
    const at = (day: string) => ({ at: `2026-01-${day}T00:00:00.000Z` });
    session(made, 's1', [
      says('the retry delay is 250', at('01')),
      says('nothing', at('02')),
      says('retry it once', at('03')),
      says('nothing', at('04')),
      says('retry it twice', at('05')),
    ]);
    const { find, refs } = recallIn(made);
    expect(await refs('retry delay')).toEqual(['s1:1', 's1:5', 's1:3']);
    const scores = (await find('retry delay')).map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect(await refs('retry', { since: new Date('2026-01-04T00:00:00Z') })).toEqual(['s1:5']);
    expect(await refs('retry', { until: new Date('2026-01-03T00:00:00Z') })).toEqual(['s1:1']);
    expect(await refs('retry', { limit: 1 })).toEqual(['s1:5']);
  });

  test('a body that was offloaded is found by what is deep in it, and after it was retired, and opens whole', async () => {
    const made = storeOf();
    const body = `${'an ordinary line of output\n'.repeat(4_000)}the needleValue is here\n${'and more of it\n'.repeat(2_000)}`;
    const bodies = made.store.bodies('s1');
    const open = session(made, 's1', [calls({ id: 'a', name: 'run_command', input: { command: 'make everything' } })]);
    const saved = bodies.save(body);
    if (saved === undefined) throw new Error('not saved');
    const stub = {
      ...answers({ id: 'a', content: 'Tool result is at: x' }),
      stubs: [{ toolUseId: 'a', tool: 'run_command', body: saved.ref }],
    };
    open.append({ type: 'message', message: stub });
    const { find, refs, open: show } = recallIn(made);
    const [hit] = await find('needleValue');
    expect(hit?.ref).toBe('s1:1.0');
    expect(hit?.snippet.text).toContain('the needleValue is here');
    bodies.retire(new Set());
    expect(new Set(await refs('make everything needle'))).toEqual(new Set(['s1:1.0']));
    expect((await find('make everything needle'))[0]?.snippet.text).toContain('the needleValue is here');
    const text = (await show('s1:1.0'))?.text ?? '';
    expect(text.endsWith(`\n\n${body}`)).toBe(true);
    expect(text.slice(hit?.charOffset, (hit?.charOffset ?? 0) + 400)).toContain('needleValue');
  });

  test('a summary and memories are found, and a memory that was taken out is not any more', async () => {
    const made = storeOf();
    const open = session(made, 's1', [user('hello')]);
    const summary = { ...user('[Compressed History] the port is fortytwo'), origin: 'summary' as const };
    const context = { system: '', shortTermSummary: '', tools: [], messages: [summary], anchorFloor: 0 };
    open.append({ type: 'checkpoint', reason: 'compaction', context });
    open.append({ type: 'checkpoint', reason: 'repeat', context });
    const entry = {
      kind: 'facts' as const,
      text: 'the staging host is otter',
      sessionId: 's1',
      messageId: 'm',
      at: '2026-01-05T00:00:00.000Z',
    };
    made.store.memories('main').add([entry]);
    const { find, refs, open: show } = recallIn(made);
    expect(await refs('fortytwo')).toEqual(['s1:2+0']);
    const [hit] = await find('otter');
    expect(hit).toMatchObject({ kind: 'memory', sessionId: 's1', at: '2026-01-05T00:00:00.000Z' });
    expect((await show(hit?.ref ?? ''))?.text).toBe('the staging host is otter');
    writeFileSync(made.paths.extracted('main', 'facts'), '# Facts\n\n- the host is badger\n');
    expect(await refs('otter')).toEqual([]);
    expect(await refs('badger')).toHaveLength(1);
  });

  test('another group is not seen, neither by words nor by reference', async () => {
    const made = storeOf();
    session(made, 's1', [user('the secretPlan of one')]);
    session(made, 's2', [user('the secretPlan of two')], { group: 'other' });
    const [one, two] = [recallIn(made), recallIn(made, 'other')];
    expect(await one.refs('secretPlan')).toEqual(['s1:1']);
    expect(await two.refs('secretPlan')).toEqual(['s2:1']);
    expect(await one.refs('secretPlan', { session: 's2' })).toEqual([]);
    expect(await one.open('s2:1')).toBeUndefined();
    expect((await two.open('s2:1'))?.text).toBe('the secretPlan of two');
  });

  test('neighbours are named, and a reference that nothing bears opens nothing', async () => {
    const made = storeOf();
    session(made, 's1', [user('the colour is teal'), says('noted: teal'), user('recall teal')]);
    const { refs, open } = recallIn(made);
    expect(await refs('teal')).toHaveLength(3);
    expect(await open('s1:2')).toMatchObject({ before: { ref: 's1:1' }, after: { ref: 's1:3' } });
    for (const none of ['s1:9', 's9:1', '../x:1', 'memory:main:facts:00000000', 'memory:../x:facts:00000000', ''])
      expect(await open(none)).toBeUndefined();
  });
});

/** In the place of the file and of those that go with it. */
function overwrite(path: string, bytes: string | Buffer): void {
  for (const end of ['', '-wal', '-shm']) rmSync(`${path}${end}`, { force: true });
  writeFileSync(path, bytes, { mode: 0o600 });
}

function changed(path: string, sql: string): void {
  const db = new Database(path);
  db.exec(sql);
  db.close();
}

describe('the index is derived', () => {
  const queries = ['alpha', 'beta', 'tests', '数据', 'exit', 'gamma', 'run_command'];
  const snapshotOf = async (recall: ReturnType<typeof recallIn>) =>
    Promise.all(queries.map(async (query) => plain(await recall.find(query))));

  test('built step by step it finds the same as built at once after it was deleted, also where a call waited for its result [O30]', async () => {
    const made = storeOf();
    const recall = recallIn(made);
    const open = session(made, 's1', [user('alpha 数据'), calls({ id: 'a', name: 'run_command', input: { command: 'beta tests' } })]);
    expect(await recall.refs('beta')).toEqual(['s1:2.0']);
    open.append({ type: 'message', message: answers({ id: 'a', content: 'exit 1\ngamma', isError: true }) });
    session(made, 's2', [says('alpha again')]);
    expect(await recall.refs('beta gamma', { errors: true })).toEqual(['s1:2.0']);
    open.append({ type: 'message', message: says('done with alpha') });
    const stepwise = await snapshotOf(recall);
    expect(stepwise.flat().length).toBeGreaterThan(5);
    rmSync(recall.index);
    expect(await snapshotOf(recall)).toEqual(stepwise);
  });

  test('a session that is gone, or whose log is another file, leaves nothing behind', async () => {
    const made = storeOf();
    const recall = recallIn(made);
    session(made, 's1', [user('alpha')]).close();
    session(made, 's2', [user('beta')]).close();
    expect(await recall.refs('alpha')).toEqual(['s1:1']);
    rmSync(made.paths.session('s1'), { recursive: true });
    const log = readFileSync(made.paths.log('s2'), 'utf8');
    rmSync(made.paths.log('s2'));
    writeFileSync(made.paths.log('s2'), unsealed(log).replace('beta', 'gamma'));
    expect(await recall.refs('alpha')).toEqual([]);
    expect(await recall.refs('beta')).toEqual([]);
    expect(await recall.refs('gamma')).toEqual(['s2:1']);
  });

  test.each([
    ['is no database', (path: string) => overwrite(path, 'this is no database '.repeat(1_000))],
    ['was cut off', (path: string) => overwrite(path, readFileSync(path).subarray(0, 5_000))],
    ['has other tables', (path: string) => changed(path, 'DROP TABLE entries')],
    ['is of another version', (path: string) => changed(path, 'PRAGMA user_version = 99')],
  ])('an index that %s is built anew from the logs, which is told once, and no session is lost [O30]', async (_, damage) => {
    const made = storeOf();
    const recall = recallIn(made);
    session(made, 's1', [user('alpha')]).close();
    await recall.find('alpha');
    const before = recall.told.length;
    damage(recall.index);
    expect(await recall.refs('alpha')).toEqual(['s1:1']);
    expect(existsSync(made.paths.log('s1'))).toBe(true);
    expect(recall.told.slice(before)).toEqual([
      expect.stringMatching(/index is (damaged .*|of another version of SanBot): it is being rebuilt/),
    ]);
    expect(await recall.refs('alpha')).toEqual(['s1:1']);
    expect(recall.told).toHaveLength(before + 1);
  });

  test('it is private, and a torn or damaged line hides no other', async () => {
    const made = storeOf();
    const recall = recallIn(made);
    const open = session(made, 's1', [user('alpha')]);
    appendFileSync(made.paths.log('s1'), 'not json at all\n');
    appendFileSync(made.paths.log('s1'), '{"type":"message","torn');
    expect(await recall.refs('alpha')).toEqual(['s1:1']);
    expect(statSync(recall.index).mode & 0o777).toBe(0o600);
    expect(existsSync(made.paths.log('s1'))).toBe(true);
    open.close();
  });

  test('two at once build it together, and both find everything', async () => {
    const made = storeOf();
    for (let i = 0; i < 20; i++) session(made, `s${i}`, [user(`alpha number${i}`), says('beta')]).close();
    const both = [recallIn(made), recallIn(made)];
    const found = await Promise.all(both.map((recall) => recall.find('alpha', { limit: 50 })));
    expect(found.map((hits) => hits.length)).toEqual([20, 20]);
  });

  test('while another process keeps it busy, what is in it is found, and that is told', async () => {
    const made = storeOf();
    const recall = recallIn(made);
    const open = session(made, 's1', [user('alpha')]);
    await recall.find('alpha');
    open.append({ type: 'message', message: says('alpha too') });
    const other = new Database(recall.index);
    other.exec('BEGIN IMMEDIATE');
    expect(await recall.refs('alpha')).toEqual(['s1:1']);
    other.exec('ROLLBACK');
    other.close();
    expect(recall.told.at(-1)).toMatch(/Another SanBot is writing the search index/);
    expect(await recall.refs('alpha')).toHaveLength(2);
  });
});
