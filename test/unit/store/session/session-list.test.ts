import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { deleteSession, renameSession } from '../../../../src/store/session/change-session.ts';
import { answers, contextOf, user } from '../../../support/build.ts';
import { runs } from '../../../support/runs.ts';
import { headerOf, said, storeOf, thrownBy } from '../files/world.ts';

function sessionsOf() {
  const made = storeOf();
  let minute = 0;
  const add = (id: string, text = 'hello', cwd = '/home/dev') => {
    const { log } = made.store.sessions.create(headerOf(id, { cwd }));
    log.append(said(text));
    log.close();
    const time = new Date(Date.UTC(2026, 2, 4, 5, minute++));
    utimesSync(made.paths.log(id), time, time);
  };
  const put = (id: string, text: string) => {
    mkdirSync(made.paths.session(id), { recursive: true });
    writeFileSync(made.paths.log(id), text);
  };
  return { ...made, add, put, sessions: made.store.sessions };
}

test('sessions are listed, last used first, with what was said first', () => {
  const { add, sessions } = sessionsOf();
  add('s1', '  修复解析器\nsecond line');
  add('s2', 'x'.repeat(200), '/other');
  expect(sessions.list()).toMatchObject([
    { sessionId: 's2', title: 'x'.repeat(80), cwd: '/other', open: false },
    {
      sessionId: 's1',
      title: '修复解析器',
      createdAt: '2026-03-04T05:06:07.000Z',
      updatedAt: '2026-03-04T05:00:00.000Z',
      model: 'offline',
      group: 'main',
    },
  ]);
  expect(sessions.list().every(({ bytes, problem }) => bytes > 100 && problem === undefined)).toBe(true);
});

test('a session that cannot be read is listed as such and hides no other [D-10, X4, C96]', () => {
  const { add, put, sessions, paths } = sessionsOf();
  for (let i = 0; i < 20; i++) add(`s${i}`);
  put('empty', '');
  put('nuls', '\0'.repeat(413));
  put('foreign', '{"type":"header","sessionId":"other"}\n');
  mkdirSync(paths.offloaded('bodies-only'), { recursive: true });
  mkdirSync(paths.session('just-begun'), { recursive: true });
  writeFileSync(`${paths.sessions}/README`, 'not a session');
  const list = sessions.list();
  expect(list.filter(({ problem }) => problem === undefined)).toHaveLength(20);
  expect(
    Object.fromEntries(list.filter(({ problem }) => problem !== undefined).map(({ sessionId, problem }) => [sessionId, problem?.en])),
  ).toEqual({
    empty: 'log.jsonl is empty',
    nuls: expect.stringContaining('not its header'),
    foreign: expect.stringContaining('not its header'),
    'bodies-only': 'log.jsonl is missing',
  });
});

test('a header longer than what a list reads at first is read whole', () => {
  const { store, sessions } = sessionsOf();
  const { log } = store.sessions.create(headerOf('s1', { context: contextOf([], { system: '规'.repeat(400_000) }) }));
  log.append({ type: 'message', message: answers({ id: 't' }) });
  log.append(said('the title'));
  expect(sessions.list()).toMatchObject([{ sessionId: 's1', cwd: '/home/dev', open: true }]);
});

test('the title is what the user said, not a tool or a notice', () => {
  const { store, sessions } = sessionsOf();
  const { log } = store.sessions.create(headerOf('s1'));
  log.append({ type: 'message', message: { ...user('a notice'), origin: 'notice' } });
  log.append({ type: 'message', message: answers({ id: 't' }) });
  log.append(said('the question'));
  expect(sessions.list()[0]?.title).toBe('the question');
});

test('the newest session is the one used last, in one folder when asked so', () => {
  const { add, put, sessions } = sessionsOf();
  expect(sessions.newest()).toBeUndefined();
  add('s1', 'x', '/a');
  add('s2', 'x', '/b');
  put('s3', '');
  expect([undefined, '/a', '/c'].map((folder) => sessions.newest(folder)?.sessionId)).toEqual(['s2', 's1', undefined]);
});

test('a session that is not there is refused with the nearest ids', () => {
  const { add, sessions } = sessionsOf();
  add('20261121-201530-4f3a2b');
  add('20261121-201530-zzzzzz');
  const thrown = thrownBy(() => sessions.open('20261121-201530-4f3a2c'));
  expect(thrown).toMatchObject({ code: 'not_found', hint: expect.stringContaining('20261121-201530-4f3a2b') });
});

test.each(['../../etc', '..', '/abs', 'a/b', 'a\\b', 'CON', 'nul', 'x\0y', 'Session-A', `${'a'.repeat(10_000)}`, '\u001b[2J', ''])(
  'a session called %j is refused before any file is touched [S-35, B18, B-22]',
  (id) => {
    const { sessions } = sessionsOf();
    const thrown = thrownBy(() => sessions.open(id));
    expect(thrown).toMatchObject({ code: 'not_found' });
    expect(String(thrown).length).toBeLessThan(200);
    expect(String(thrown)).not.toMatch(/[\u0000\u001b]/);
    expect(thrownBy(() => sessions.create(headerOf(id)))).toMatchObject({ code: 'usage' });
  },
);

describe('in a home of many sessions', () => {
  const many = () => {
    const made = sessionsOf();
    const { paths, add, sessions } = made;
    const settle = (id: string) => {
      const time = new Date(Date.UTC(2026, 1, 3, 4, 5));
      utimesSync(paths.session(id), time, time);
    };
    for (let i = 0; i < 60; i++) add(`s${i}`, `said ${i}`);
    for (let i = 0; i < 60; i++) {
      utimesSync(paths.log(`s${i}`), 1_767_000_000 + i, 1_767_000_000 + i);
      settle(`s${i}`);
    }
    const first = sessions.list();
    /** The list as it is when every log is read. */
    const anew = () => {
      const kept = readFileSync(paths.sessionList);
      rmSync(paths.sessionList);
      const list = sessions.list();
      writeFileSync(paths.sessionList, kept);
      return list;
    };
    return { ...made, first, anew, settle };
  };

  test('a list reads no log that has not changed since the one before', () => {
    const { sessions, paths, first } = many();
    expect(existsSync(paths.sessionList)).toBe(true);
    for (let i = 0; i < 60; i++) {
      const { mtime } = statSync(paths.log(`s${i}`));
      writeFileSync(paths.log(`s${i}`), ' '.repeat(statSync(paths.log(`s${i}`)).size));
      utimesSync(paths.log(`s${i}`), mtime, mtime);
    }
    expect(sessions.list()).toEqual(first);
  });

  test('titles and folders of any characters come back from the file as they were', () => {
    const { disk, paths, add, sessions, anew } = many();
    const title = 'quoted "words" \\\\n \\u0041 修复 🧭 \\';
    add('odd', 'said', '/tmp/a\nb\t\u001b[2J\u00e9\ud83d');
    renameSession(disk, paths, { sessionId: 's4', title });
    for (const id of ['odd', 's4']) {
      const time = new Date(Date.UTC(2026, 1, 3, 4, 5));
      for (const path of [paths.log(id), paths.session(id)]) utimesSync(path, time, time);
    }
    rmSync(paths.sessionList);
    const first = sessions.list();
    expect(JSON.parse(readFileSync(paths.sessionList, 'utf8')).sessions).toHaveLength(61);
    expect(sessions.list()).toEqual(first);
    expect(sessions.list()).toEqual(anew());
    expect(sessions.list().find(({ sessionId }) => sessionId === 's4')?.title).toBe(title);
  });

  test('it is the list that reading every log gives, whatever has happened in between', () => {
    const { sessions, paths, disk, add, anew, settle } = many();
    add('new', 'a new one');
    const { log } = sessions.open('s3');
    log.append(said('more'));
    expect(sessions.list().find(({ sessionId }) => sessionId === 's3')).toMatchObject({ open: true });
    expect(sessions.list()).toEqual(anew());
    log.close();
    renameSession(disk, paths, { sessionId: 's4', title: 'Another title' });
    deleteSession(disk, paths, 's5');
    appendFileSync(paths.log('s6'), 'half a line');
    writeFileSync(paths.log('s7'), 'no log');
    settle('s8');
    const list = sessions.list();
    expect(list).toEqual(anew());
    expect(list.find(({ sessionId }) => sessionId === 's4')?.title).toBe('Another title');
    expect(list.find(({ sessionId }) => sessionId === 's7')?.problem).toBeDefined();
    expect(list.some(({ sessionId }) => sessionId === 's5')).toBe(false);
    expect(readFileSync(paths.sessionList, 'utf8')).not.toContain('"said 5"');
  });

  test('what cannot be used of the file, or cannot be written, changes no list', () => {
    const { sessions, paths, first } = many();
    const kept = JSON.parse(readFileSync(paths.sessionList, 'utf8'));
    const [row, ...others] = kept.sessions;
    const withRow = (first: unknown) => JSON.stringify({ ...kept, sessions: [first, ...others] });
    for (const text of [
      '',
      'nothing',
      '{"v":4}',
      '{"v":1,"sessions":[]}',
      JSON.stringify({ ...kept, v: 3 }),
      JSON.stringify({ ...kept, sessions: 1 }),
      ...[undefined, null, 'a row', []].map(withRow),
      ...Object.keys(row).flatMap((name) => [undefined, null, {}].map((value) => withRow({ ...row, [name]: value }))),
      ...['../..', 's7', 'gone'].map((sessionId) => withRow({ ...row, sessionId })),
      ...['bytes', 'logMs', 'folderMs'].map((name) => withRow({ ...row, [name]: -1 })),
    ]) {
      writeFileSync(paths.sessionList, text);
      expect(sessions.list()).toEqual(first);
    }
    rmSync(paths.sessionList);
    mkdirSync(paths.sessionList);
    expect(sessions.list()).toEqual(first);
  });

  test('a session that was deleted leaves no title behind', () => {
    const { disk, paths, sessions } = many();
    expect(readFileSync(paths.sessionList, 'utf8')).toContain('"said 5"');
    deleteSession(disk, paths, 's5');
    expect(readFileSync(paths.sessionList, 'utf8')).not.toContain('"said 5"');
    expect(sessions.list()).toHaveLength(59);
    writeFileSync(paths.sessionList, 'damaged, and still with s6');
    deleteSession(disk, paths, 's6');
    expect(existsSync(paths.sessionList)).toBe(false);
  });
});

describe('in a home of a hundred sessions and more', () => {
  const COUNT = 130;
  const large = () => {
    const made = storeOf({ now: () => new Date() });
    const { store, paths } = made;
    for (let i = 0; i < COUNT; i++) {
      const { log } = store.sessions.create(headerOf(`s${i}`));
      log.append(said(`said ${i}`));
      log.close();
      const at = 1_767_000_000 + i;
      utimesSync(paths.log(`s${i}`), at, at);
      utimesSync(paths.session(`s${i}`), at, at);
    }
    store.sessions.list();
    return { ...made, sessions: store.sessions };
  };

  test('a log that another program changed is looked at, wherever it stands in the list', () => {
    const { paths, sessions } = large();
    for (const id of ['s0', 's129']) writeFileSync(paths.log(id), 'no log');
    expect(
      sessions
        .list()
        .flatMap(({ sessionId, problem }) => (problem === undefined ? [] : sessionId))
        .sort(),
    ).toEqual(['s0', 's129']);
  });

  test('what an earlier version kept beside its list is removed', () => {
    const { paths, sessions } = large();
    writeFileSync(paths.earlierSessionMarks, 'a name\n');
    writeFileSync(paths.sessionList, '{"v":3}');
    expect(sessions.list()).toHaveLength(COUNT);
    expect(existsSync(paths.earlierSessionMarks)).toBe(false);
  });

  test('whatever is done to sessions, the list is the one that reading every log gives', () => {
    let now = Date.now();
    const { disk, paths, sessions, store } = large();
    const names = Array.from({ length: COUNT }, (_, i) => `s${i}`);
    const open = (id: string) => sessions.open(id).log;
    const steps: Record<string, (id: string) => void> = {
      append: (id) => {
        const log = open(id);
        log.append(said('more'));
        log.close();
      },
      rename: (id) => renameSession(disk, paths, { sessionId: id, title: `title ${now}` }),
      remove: (id) => deleteSession(disk, paths, id),
      leaveOpen: (id) => void open(id).append(said('open')),
      add: () => store.sessions.create(headerOf(`n${now}`)).log.close(),
      list: () => void sessions.list(),
    };
    const step = fc.tuple(fc.constantFrom(...Object.keys(steps)), fc.constantFrom(...names), fc.boolean());
    const settle = (id: string, at: number) => {
      for (const path of [paths.log(id), paths.session(id)]) if (existsSync(path)) utimesSync(path, at, at);
    };
    fc.assert(
      fc.property(fc.array(step, { maxLength: 6 }), (taken) => {
        for (const [name, id, isSettled] of taken) {
          now += 1;
          const isUsable = sessions.has(id) && sessions.list().find(({ sessionId }) => sessionId === id)?.open === false;
          if (isUsable) steps[name]?.(id);
          // As if it had been some time ago.
          if (isUsable && isSettled && ['append', 'rename'].includes(name)) settle(id, 1_767_000_000 + (now % 1_000));
        }
        const list = sessions.list();
        rmSync(paths.sessionList, { force: true });
        expect(list).toEqual(sessions.list());
      }),
      { numRuns: runs(30) },
    );
  });
});
