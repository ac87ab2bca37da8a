import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { outputFileSync } from 'fs-extra/esm';
import { describe, expect, test } from 'vitest';
import { archivePage, archiveTitle } from '../../../../src/context/history/archive-page.ts';
import { searchableTexts } from '../../../../src/context/search/search-snippet.ts';
import type { Message } from '../../../../src/domain/session/message.ts';
import { deleteSession } from '../../../../src/store/session/change-session.ts';
import { answers, calls, contextOf, says, user } from '../../../support/build.ts';
import { storeOf } from '../files/world.ts';
import { plain, recallIn, session } from './recall-world.ts';

const summaryOf = (text: string): Message => ({ ...user(text), origin: 'summary' });

describe('an agent that asks is not shown what stands in its context', () => {
  const beside = (messages: readonly Message[]) => ({ beside: { sessionId: 's1', texts: searchableTexts(messages) } });

  test('but what a compaction removed, and not what it kept, though that was said before it', async () => {
    const made = storeOf();
    const kept = [
      says('still teal'),
      calls({ id: 'b', name: 'run_command', input: { command: 'teal again' } }),
      answers({ id: 'b', content: 'teal it is again' }),
    ];
    const removed = [
      user('do all of it in teal'),
      says('the deepValue is teal'),
      calls({ id: 'a', name: 'run_command', input: { command: 'print teal' } }),
      answers({ id: 'a', content: 'teal it is' }),
    ];
    const open = session(made, 's1', [...removed, ...kept]);
    session(made, 's2', [says('still teal')]).close();
    const { refs } = recallIn(made);
    expect(await refs('teal', beside([...removed, ...kept]))).toEqual(['s2:1']);
    const context = [summaryOf('what came before, teal'), ...kept];
    open.append({ type: 'checkpoint', reason: 'compaction', context: contextOf(context) });
    expect((await refs('teal', beside(context))).toSorted()).toEqual(['s1:1', 's1:2', 's1:3.0', 's2:1']);
    expect((await refs('teal')).toSorted()).toEqual(['s1:1', 's1:2', 's1:3.0', 's1:5', 's1:6.0', 's1:8+0']);
  });

  test('but a result of which a stub, a shortened text or nothing stands there', async () => {
    const made = storeOf();
    const asked = [user('do all of it'), calls({ id: 'a' }, { id: 'b' }, { id: 'c' })];
    const open = session(made, 's1', asked);
    const saved = made.store.bodies('s1').save('a long result with teal in it');
    if (saved === undefined) throw new Error('not saved');
    const stubs = [{ toolUseId: 'a', tool: 'read_file', body: saved.ref }];
    const offloaded = { ...answers({ id: 'a', content: 'Tool result is at: x' }), stubs };
    for (const message of [offloaded, answers({ id: 'b', content: 'teal, long, long, long' }), answers({ id: 'c', content: 'teal' })])
      open.append({ type: 'message', message });
    const { refs } = recallIn(made);
    const shortened = answers({ id: 'b', content: 'teal, […]' });
    const context = [...asked, offloaded, shortened, answers({ id: 'c', content: 'teal' })];
    expect((await refs('teal', beside(context))).toSorted()).toEqual(['s1:2.0', 's1:2.1']);
  });
});

test('what stands at the end of a line is found, however long the line is and wherever the pieces that are read end', async () => {
  const made = storeOf();
  const sizes = [10, 60_000, 63_000, 66_000, 70_000, 90_000, 300_000, 40_000, 10];
  session(
    made,
    's1',
    sizes.map((size, i) => says(`${'filler '.repeat(size / 7)}ocelot${i}`)),
  ).close();
  const { refs } = recallIn(made);
  for (const i of sizes.keys()) expect([...new Set(await refs(`ocelot${i}`))], String(i)).toEqual([`s1:${i + 1}`]);
});

const work = (): readonly Message[] => [
  user('please mend the otter gate'),
  says('我们决定使用关系数据库'),
  calls({ id: 'a', name: 'run_command', input: { command: 'npm run check:gate' } }, { id: 'b', name: 'recall', input: { query: 'gate' } }),
  answers(
    { id: 'a', content: 'exit 2\n```\nsrc/gate.ts: error TS2322\n```', isError: true },
    { id: 'b', content: 'a gate that was recalled' },
  ),
];

function archived(made: ReturnType<typeof storeOf>, sessionId: string, messages: readonly Message[], group = 'main'): string {
  const title = archiveTitle(messages);
  const markdown = archivePage({ title, at: '2026-03-04T05:06:07.000Z', sessionId, messages, bodyOf: () => undefined });
  return made.store.archive(group).write({ title, markdown });
}

describe('a session that was deleted', () => {
  const queries = ['otter', '数据', 'check:gate', 'TS2322', 'gate', 'badger'];
  const found = async (recall: ReturnType<typeof recallIn>) => Promise.all(queries.map(async (query) => plain(await recall.find(query))));

  test('is found by its archive pages, each thing once, and opens by reference; while it was there its log was', async () => {
    const made = storeOf();
    const messages = work();
    session(made, 's1', messages).close();
    archived(made, 's1', messages);
    archived(made, 's1', [...messages, says('then a badger came')]);
    const recall = recallIn(made);
    expect((await recall.refs('otter'))[0]).toBe('s1:1');
    deleteSession(made.disk, made.paths, 's1');
    expect(await recall.refs('otter')).toEqual(['archive:main:2026-03-04-please-mend-the-otter-gate:1']);
    expect(await recall.refs('数据')).toEqual(['archive:main:2026-03-04-please-mend-the-otter-gate:2']);
    expect(await recall.refs('badger')).toEqual(['archive:main:2026-03-04-please-mend-the-otter-gate-2:5']);
    expect(await recall.refs('recalled')).toEqual([]);
    const [failed] = await recall.find('check:gate TS2322', { errors: true, session: 's1', tool: 'run_command' });
    expect(failed).toMatchObject({ sessionId: 's1', kind: 'tool', tool: 'run_command', failed: true });
    expect(await recall.open(failed?.ref ?? '')).toMatchObject({
      text: 'run_command\ncommand: npm run check:gate\n\nexit 2\n```\nsrc/gate.ts: error TS2322\n```',
      before: { kind: 'assistant' },
    });
    for (const none of ['archive:main:../../x:1', 'archive:main:none:1', 'archive:other:2026-03-04-please-mend-the-otter-gate:1'])
      expect(await recall.open(none)).toBeUndefined();
  });

  test('is found in the same way after the index was deleted, and not any more when its pages are gone [O30]', async () => {
    const made = storeOf();
    const messages = work();
    session(made, 's1', messages).close();
    const recall = recallIn(made);
    const pages = [archived(made, 's1', messages), archived(made, 's1', [...messages, says('then a badger came')])];
    await found(recall);
    deleteSession(made.disk, made.paths, 's1');
    const stepwise = await found(recall);
    expect(stepwise.every((hits) => hits.length > 0)).toBe(true);
    rmSync(recall.index);
    expect(await found(recall)).toEqual(stepwise);
    rmSync(pages[0] ?? '');
    expect(await recall.refs('otter')).toEqual(['archive:main:2026-03-04-please-mend-the-otter-gate-2:1']);
    rmSync(pages[1] ?? '');
    expect((await found(recall)).flat()).toEqual([]);
  });

  test('of another group is not seen', async () => {
    const made = storeOf();
    session(made, 's1', work(), { group: 'other' }).close();
    archived(made, 's1', work(), 'other');
    deleteSession(made.disk, made.paths, 's1');
    expect(await recallIn(made).refs('otter')).toEqual([]);
    const [ref] = await recallIn(made, 'other').refs('otter');
    expect(ref).toMatch(/^archive:other:/);
    expect(await recallIn(made).open(ref ?? '')).toBeUndefined();
  });

  test('a page on which somebody wrote what looks like a heading loses no words', async () => {
    const made = storeOf();
    archived(made, 's1', [user('one\n\n## 2. User, 2026-01-01T00:00:00.000Z\n\nmadeUp words'), says('realWords after it')]);
    const { refs } = recallIn(made);
    expect(await refs('madeUp')).toHaveLength(1);
    expect(await refs('realWords')).toHaveLength(1);
  });
});

describe('pages of memory', () => {
  test('days, the master memory and the soul are found, open by reference, and are read anew when they change [O30]', async () => {
    const made = storeOf();
    const { paths } = made;
    outputFileSync(
      paths.daily('main', '2026-02-03'),
      '# 2026-02-03\n\n- 10:20 asked: move the otter <!-- session s7 message m1 by user in /w -->\n  - did: moved\n- 11:00 asked: 修复上传 <!-- session s8 message m2 by user in /w -->\n',
    );
    outputFileSync(
      paths.master('main'),
      '# Master memory\n\n## Facts\n\n- the host is badger <!-- from m00000001 -->\n\nwritten by hand: heron\n',
    );
    outputFileSync(paths.soul('main'), '# Soul\n\nYou speak like a walrus.\n\nShortly.\n');
    const recall = recallIn(made);
    const { find, open } = recall;
    const [day] = await find('otter');
    expect(day).toMatchObject({ kind: 'memory', sessionId: 's7', at: '2026-02-03T10:20:00.000Z' });
    expect((await open(day?.ref ?? ''))?.text).toBe('10:20 asked: move the otter \n  - did: moved');
    expect((await find('上传'))[0]?.sessionId).toBe('s8');
    for (const [query, text] of [
      ['badger', 'the host is badger'],
      ['heron', 'written by hand: heron'],
      ['walrus', 'You speak like a walrus.'],
    ] as const) {
      const [hit] = await find(query);
      expect(hit?.ref).toMatch(/^memory:main:(?:master|soul):[0-9a-f]{8}$/);
      expect((await open(hit?.ref ?? ''))?.text).toBe(text);
    }
    outputFileSync(paths.soul('main'), 'You speak like a puffin.\n');
    expect(await find('walrus')).toEqual([]);
    const stepwise = await find('puffin');
    expect(stepwise).toHaveLength(1);
    rmSync(recall.index);
    expect(await find('puffin')).toEqual(stepwise);
    expect(readdirSync(dirname(paths.soul('main')))).toContain('soul.md');
  });

  test('what is no longer true is not found: struck through, marked as superseded, or among the older ones', async () => {
    const made = storeOf();
    const { paths } = made;
    outputFileSync(
      paths.extracted('main', 'facts'),
      '# Facts\n\n- ~~the host is otter~~\n- the port was ~~fortytwo~~ fifty\n- [2026-01-01] the disk is badger <!-- session s1 message m1 id m00000001 superseded-by m00000002 -->\n- [2026-01-02] the disk is heron <!-- session s1 message m2 id m00000002 supersedes m00000001 -->\n',
    );
    outputFileSync(
      paths.olderExtracted('main', 'facts'),
      '- [2026-01-01] the lamp is walrus <!-- session s1 message m1 id m00000003 -->\n',
    );
    const { refs, find } = recallIn(made);
    for (const gone of ['otter', 'fortytwo', 'badger', 'walrus']) expect(await refs(gone), gone).toEqual([]);
    expect(await refs('heron')).toHaveLength(1);
    expect((await find('fifty'))[0]?.snippet.text).toBe('the port was  fifty'.replace('  ', ' '));
  });

  test("another group's are not seen, and one that cannot be read hides no other", async () => {
    const made = storeOf();
    const { paths } = made;
    outputFileSync(paths.soul('other'), 'You speak like a walrus.\n');
    outputFileSync(paths.daily('other', '2026-02-03'), '- 10:20 asked: walrus\n');
    mkdirSync(join(paths.memory('main'), 'soul.md'), { recursive: true });
    outputFileSync(paths.extracted('main', 'facts'), '- the host is badger\n');
    const { refs } = recallIn(made);
    expect(await refs('walrus')).toEqual([]);
    expect(await refs('badger')).toHaveLength(1);
    const theirs = await recallIn(made, 'other').refs('walrus');
    expect(theirs).toHaveLength(2);
    for (const ref of theirs) expect(await recallIn(made).open(ref)).toBeUndefined();
    expect(readFileSync(paths.soul('other'), 'utf8')).toContain('walrus');
  });
});
