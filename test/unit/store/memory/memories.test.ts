import { appendFileSync, lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type MemoryEntry, type MemoryKind, SESSION_LINE } from '../../../../src/domain/memory/memory.ts';
import { addToPage, MAX_PAGE_BYTES } from '../../../../src/store/memory/memory-page.ts';
import { failing, modeOf, namesOf, storeOf, systemError, thrownBy, type WorldOptions } from '../files/world.ts';

const entryOf = (text: string, kind: MemoryKind = 'facts'): MemoryEntry => ({
  kind,
  text,
  sessionId: 's1',
  messageId: 'm1',
  at: '2026-03-04T05:06:07.000Z',
});

function memoriesOf(options: WorldOptions = {}) {
  const made = storeOf(options);
  const memories = made.store.memories('main');
  const path = made.paths.extracted('main', 'facts');
  const put = (text: string | Buffer) => {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(path, text, { mode: 0o600 });
  };
  return { ...made, memories, path, put, facts: () => readFileSync(path, 'utf8') };
}

describe('memories', () => {
  test('are list items with date and source, under a heading, in private files', () => {
    const { memories, path, facts } = memoriesOf();
    const added = memories.add([
      entryOf('The port is 8080'),
      entryOf('选择 PostgreSQL', 'decisions'),
      entryOf('two\n lines\u2028', 'runtime'),
    ]);
    expect(added).toEqual({ decisions: 1, facts: 1, preferences: 0, runtime: 1 });
    expect(facts()).toBe('# Facts\n\n- [2026-03-04] The port is 8080 <!-- session s1 message m1 id md1ac9c00 -->\n');
    expect(memories.read('decisions')).toContain('选择 PostgreSQL');
    expect(memories.read('runtime')).toContain('] two lines <!--');
    expect([modeOf(path), modeOf(dirname(path))]).toEqual(['600', '700']);
  });

  test('have all four files with their headings from the first time on, even with nothing new', () => {
    const { memories, path } = memoriesOf();
    memories.add([]);
    expect(namesOf(dirname(path))).toEqual(['decisions.md', 'facts.md', 'preferences.md', 'runtime.md']);
    expect(memories.read('preferences')).toBe('# Preferences\n\n');
    const before = lstatSync(path).ino;
    memories.add([]);
    expect(lstatSync(path).ino).toBe(before);
  });

  test('that were forgotten stay so where the process that added them was killed before it noted them', () => {
    const { memories, paths, facts } = memoriesOf();
    memories.add([entryOf('The port is 8080')]);
    const [entry] = memories.list();
    rmSync(paths.knownMemories('main'));
    memories.forget([entry?.id ?? '']);
    expect(memories.add([entryOf('The port is 8080')])).toMatchObject({ facts: 0 });
    expect(facts()).toBe('# Facts\n\n');
  });

  test('are appended, never over what is there, and not twice [O7, O9]', () => {
    const { memories, facts } = memoriesOf();
    memories.add([entryOf('one')]);
    const before = facts();
    expect(memories.add([entryOf('One.'), entryOf(' ＯＮＥ '), entryOf('two'), entryOf('Two!')])).toMatchObject({ facts: 1 });
    expect(facts().startsWith(before)).toBe(true);
    expect(facts().match(/^- /gm)).toHaveLength(2);
  });

  test('keep what a person wrote, wherever and however [C-17]', () => {
    const { memories, facts, put } = memoriesOf();
    const mine =
      '\ufeff# My own heading\r\n\r\nSome words.\n* likes tea\n- [2026-01-01] corrected <!-- session s0 message m0 -->\n\n## End';
    put(mine);
    expect(memories.add([entryOf('Likes tea'), entryOf('corrected'), entryOf('new')])).toMatchObject({ facts: 1 });
    expect(facts()).toBe(`${mine}\n- [2026-03-04] new <!-- session s1 message m1 id maa4d02f5 -->\n`);
  });

  test('keep bytes that are no text [B-04]', () => {
    const { memories, path, put } = memoriesOf();
    const bytes = Buffer.from([0x23, 0x20, 0xe9, 0xff, 0x0a]);
    put(bytes);
    memories.add([entryOf('new')]);
    expect(readFileSync(path).subarray(0, 5).equals(bytes)).toBe(true);
  });

  test('lose nothing to an editor that saves at the worst moment [C-17, O8]', () => {
    let armed = true;
    const made = memoriesOf({
      at: (point) => {
        if (point === 'memory.sync' && armed) {
          armed = false;
          appendFileSync(path, '- by hand, meanwhile\n');
        }
        return undefined;
      },
    });
    const { path } = made;
    armed = false;
    made.memories.add([entryOf('one')]);
    armed = true;
    expect(made.memories.add([entryOf('two')])).toMatchObject({ facts: 1 });
    expect(made.facts()).toMatch(/one[\s\S]*- by hand, meanwhile\n[\s\S]*two/);
    expect(namesOf(dirname(path)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  test('follow a linked file instead of replacing the link [D-33]', () => {
    const { memories, path, paths } = memoriesOf();
    mkdirSync(dirname(path), { recursive: true });
    const target = `${paths.home}/dotfiles.md`;
    writeFileSync(target, '# Facts\n');
    symlinkSync(target, path);
    memories.add([entryOf('one')]);
    expect(lstatSync(path).isSymbolicLink()).toBe(true);
    expect(readFileSync(target, 'utf8')).toContain('one');
  });

  test('of one kind end those of another, which a rollback brings back, and none that were said later or by hand', () => {
    const { memories } = memoriesOf();
    const said = (text: string, kind: MemoryKind, at: string, messageId: string) => ({ ...entryOf(text, kind), at, messageId });
    memories.add([said('缓存用 Redis', 'facts', '2026-03-04T05:06:07.000Z', 'm1')]);
    memories.add([said('不用 Redis 了', 'decisions', '2026-03-05T05:06:07.000Z', 'm2')]);
    expect(memories.list().map(({ text }) => text)).toEqual(['不用 Redis 了']);
    expect(memories.older()[0]?.text).toBe('缓存用 Redis');
    memories.rollBack({ sessionId: 's1', by: 'snap', isLater: (id) => id === 'm2', isUndone: () => false });
    expect(memories.list().map(({ text }) => text)).toEqual(['缓存用 Redis']);
    memories.add([said('不用 Redis 了', 'decisions', '2026-03-01T05:06:07.000Z', 'm0')]);
    expect(memories.list().map(({ text }) => text)).toContain('缓存用 Redis');
  });

  test('hold one line about each session’s calls: a newer one takes its place', () => {
    const { memories } = memoriesOf();
    const line = (calls: string, sessionId: string, messageId: string): MemoryEntry => ({
      ...entryOf(`${SESSION_LINE}${calls}`, 'runtime'),
      ...{ sessionId, messageId },
    });
    memories.add([line('read_file 1', 's1', 'm1'), line('run_command 2', 's2', 'm2'), entryOf('make: failed: no rule', 'runtime')]);
    memories.add([line('read_file 4', 's1', 'm9'), entryOf('make: failed: no rule; worked after write_file Makefile', 'runtime')]);
    expect(memories.list().map(({ text }) => text)).toEqual([
      `${SESSION_LINE}run_command 2`,
      `${SESSION_LINE}read_file 4`,
      'make: failed: no rule; worked after write_file Makefile',
    ]);
  });

  test('cannot close the comment behind them or begin a line of their own [S-25, S-26]', () => {
    const { memories, facts } = memoriesOf();
    memories.add([entryOf('x --> <script> <!-- y\n\n# System\u0000\u001b[2J')]);
    const [item] = facts()
      .split('\n')
      .filter((line) => line.startsWith('- '));
    expect(item?.match(/<!--/g)).toHaveLength(1);
    expect(item?.match(/-->/g)).toHaveLength(1);
    expect(facts()).not.toMatch(/^# System/m);
    expect(facts()).not.toMatch(/[\u0000\u001b]/);
  });

  test('of a group lie in that group', () => {
    const { store, paths } = storeOf();
    store.memories('team').add([entryOf('secret')]);
    expect(readFileSync(paths.extracted('team', 'facts'), 'utf8')).toContain('secret');
    expect(store.memories('main').read('facts')).toBe('');
  });

  test('that cannot be written throw, and the file is as it was [D-13, D-20]', () => {
    for (const point of ['memory.write', 'memory.sync', 'memory.rename', 'lock.open']) {
      let broken = false;
      const at = (at: string) => {
        if (broken && at === point) throw systemError('ENOSPC');
        return undefined;
      };
      const { memories, facts, path, paths } = memoriesOf({ at });
      memories.add([entryOf('one')]);
      const before = facts();
      broken = true;
      expect(
        thrownBy(() => memories.add([entryOf('two')])),
        point,
      ).toMatchObject({ code: 'store_failed' });
      expect(facts()).toBe(before);
      broken = false;
      memories.add([entryOf('two')]);
      expect(facts()).toContain('two');
      expect([...namesOf(dirname(path)), ...namesOf(paths.memory('main'))].filter((name) => /tmp$|^lock/.test(name))).toEqual([]);
    }
  });
});

describe('a page of memories', () => {
  test('stays small: the oldest entries of ours move to another file, a person’s lines stay [O24]', () => {
    const { memories, facts, put, paths } = memoriesOf();
    put('# Facts\n\n- by hand, at the top\n');
    const entries = Array.from({ length: 200 }, (_, i) => entryOf(`fact ${i} ${'x'.repeat(1500)}`));
    for (let i = 0; i < entries.length; i += 20) memories.add(entries.slice(i, i + 20));
    expect(Buffer.byteLength(facts())).toBeLessThanOrEqual(MAX_PAGE_BYTES);
    expect(facts()).toContain('- by hand, at the top\n');
    expect(facts()).toContain('fact 199 ');
    const older = readFileSync(paths.olderExtracted('main', 'facts'), 'utf8');
    expect(older).toContain('fact 0 ');
    for (let i = 0; i < 200; i++) expect(`${older}${facts()}`).toContain(`fact ${i} `);
  });

  test('loses no line to any additions, and adding again adds nothing', () => {
    const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 10 }), fc.constantFrom('- x', '<!-- -->', '# y', 'x', 'X.'));
    fc.assert(
      fc.property(fc.array(text, { maxLength: 6 }), fc.array(text, { maxLength: 6 }), (lines, texts) => {
        const page = lines.join('\n');
        const entries = texts.map((each) => entryOf(each));
        const { appended, kept } = addToPage(page, 'facts', { entries, known: new Map(), explicit: false });
        expect(kept).toBeUndefined();
        expect(appended === '' || appended.endsWith('\n')).toBe(true);
        expect(addToPage(page + appended, 'facts', { entries, known: new Map(), explicit: false }).appended).toBe('');
      }),
    );
  });
});

describe('the running summary of a session', () => {
  test('is replaced whole', () => {
    const { memories, paths } = memoriesOf();
    memories.writeSessionSummary('s1', 'a longer first one\n');
    memories.writeSessionSummary('s1', 'second\n');
    expect(readFileSync(paths.sessionSummary('main', 's1'), 'utf8')).toBe('second\n');
  });

  test('stays as it was when the new one cannot be written [D-13]', () => {
    let count = 0;
    const at = (point: string) => {
      if (point === 'summary.write' && count++ > 0) throw systemError('ENOSPC');
      return undefined;
    };
    const { memories, paths } = memoriesOf({ at });
    memories.writeSessionSummary('s1', 'first\n');
    expect(() => memories.writeSessionSummary('s1', 'second\n')).toThrow(/the disk is full/);
    expect(readFileSync(paths.sessionSummary('main', 's1'), 'utf8')).toBe('first\n');
  });
});

test('a memory lock that is held says by whom', () => {
  const { store, paths } = storeOf({ at: failing('none', 'EIO') });
  mkdirSync(paths.memory('main'), { recursive: true });
  const holder = { pid: 1, host: 'elsewhere', nonce: 'x', since: '2026-01-01T00:00:00.000Z' };
  writeFileSync(paths.memoryLock('main'), JSON.stringify(holder));
  expect(thrownBy(() => store.memories('main').add([]))).toMatchObject({
    code: 'store_failed',
    message: expect.stringContaining('process 1 on "elsewhere"'),
    hint: expect.stringContaining(paths.memoryLock('main')),
  });
});
