import {
  appendFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { LogRecord } from '../../../../src/domain/session/record.ts';
import { calls, contextOf, user } from '../../../support/build.ts';
import { failing, headerOf, namesOf, said, storeOf, systemError, thrownBy, type WorldOptions } from '../files/world.ts';

const ID = 's1';

function sessionOf(options: WorldOptions = {}) {
  const made = storeOf(options);
  const { log } = made.store.sessions.create(headerOf(ID));
  const path = made.paths.log(ID);
  return { ...made, log, path, reopen: () => made.store.sessions.open(ID) };
}

const textsIn = (records: readonly LogRecord[]): readonly unknown[] =>
  records.map((record) => (record.type === 'message' ? record.message.content[0]?.text : record.type));

describe('a session log', () => {
  test('gives back what was appended, in order and to the byte [C94]', () => {
    const { log, reopen } = sessionOf();
    const first = { ...said('one'), extra: { z: 1, a: 2 } };
    const second = { type: 'message', message: { ...calls({ id: 't', input: { b: 1, a: [null] } }), future: 'kept' } } as const;
    const written = [log.append(first), log.append(second)];
    log.close();
    const opened = reopen();
    expect(JSON.stringify(opened.records)).toBe(JSON.stringify(written));
    expect(opened.warnings).toEqual([]);
    opened.log.close();
  });

  test('numbers every line from 0 and goes on counting after it was opened again, whatever the clock says [D-36, C90]', () => {
    let time = Date.parse('2026-03-04T05:06:07.000Z');
    const { log, reopen, path } = sessionOf({ now: () => new Date(time) });
    log.append(said('one'));
    time -= 3_600_000;
    log.append(said('two'));
    log.close();
    const again = reopen();
    expect(again.log.append(said('three')).n).toBe(3);
    again.log.close();
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).n)).toEqual([0, 1, 2, 3]);
    expect(lines.every((line) => line.startsWith('{"type":"'))).toBe(true);
  });

  test('keeps text with line separators, NULs and record-like lines in one record [B-01, B-02, P21, X3, S-41]', () => {
    const { log, reopen, path } = sessionOf();
    const text = 'a\u2028b\u2029c\u0085d\r\n{"type":"message","n":1}\n\u0000\u000b\u001b[2J';
    log.append(said(text));
    log.close();
    expect(textsIn(reopen().records)).toEqual([text]);
    expect(readFileSync(path, 'utf8')).not.toMatch(/[\u2028\u2029\u0000\u001b]/);
    expect(readFileSync(path, 'utf8').split('\n')).toHaveLength(3);
  });

  test('keeps lone surrogates [B-03]', () => {
    const { log, reopen } = sessionOf();
    log.append(said('half \ud83d and half \ude00'));
    log.close();
    expect(textsIn(reopen().records)).toEqual(['half \ud83d and half \ude00']);
  });

  test('takes a record of 20 MB and reads it back [D-39]', () => {
    const { log, reopen } = sessionOf();
    const text = '数据'.repeat(3_500_000);
    log.append(said(text));
    log.append(said('after'));
    log.close();
    expect(textsIn(reopen().records)).toEqual([text, 'after']);
  });

  test('is read back only as far as its newest checkpoint, which carries the context [C91, C92, C94]', () => {
    const { log, reopen } = sessionOf();
    log.append(said('before'));
    log.append({ type: 'checkpoint', reason: 'compaction', snapshotId: 'x', context: contextOf([user('first')]) });
    log.append(said('between'));
    log.append({ type: 'checkpoint', reason: 'repeat', context: contextOf([user('kept')]) });
    expect(log.bytesSinceCheckpoint()).toBe(0);
    log.append(said('after'));
    const since = log.bytesSinceCheckpoint();
    log.close();
    const opened = reopen();
    expect(textsIn(opened.records)).toEqual(['checkpoint', 'after']);
    expect(opened.log.bytesSinceCheckpoint()).toBe(since);
    expect(since).toBeGreaterThan(0);
    opened.log.close();
  });

  test('stays as it is when it is opened and closed without a word [D-40, C126]', () => {
    const { log, reopen, path } = sessionOf();
    log.append(said('one'));
    log.close();
    const before = readFileSync(path);
    for (let i = 0; i < 20; i++) reopen().log.close();
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  test('refuses to be written to after it was closed', () => {
    const { log } = sessionOf();
    log.close();
    expect(() => log.append(said('late'))).toThrow(/after it had been closed/);
  });
});

describe('a damaged log', () => {
  test('with a torn last line has it set aside and told, and the next append stands on its own line [D-06, P20, X2]', () => {
    const { log, reopen, path, paths } = sessionOf();
    log.append(said('one'));
    log.close();
    const whole = readFileSync(path);
    appendFileSync(path, '{"type":"message","n":2,"te');
    const opened = reopen();
    expect(textsIn(opened.records)).toEqual(['one']);
    expect(opened.warnings).toHaveLength(1);
    const aside = namesOf(paths.session(ID)).filter((name) => name.includes('.torn-'));
    expect(aside).toHaveLength(1);
    expect(opened.warnings[0]?.en).toContain(aside[0]);
    expect(readFileSync(join(paths.session(ID), aside[0] ?? ''), 'utf8')).toBe('{"type":"message","n":2,"te');
    expect(readFileSync(path).equals(whole)).toBe(true);
    opened.log.append(said('two'));
    opened.log.close();
    const again = reopen();
    expect(textsIn(again.records)).toEqual(['one', 'two']);
    expect(again.warnings).toEqual([]);
    again.log.close();
  });

  test('whose last record lost its line end keeps the record [D-07]', () => {
    const { log, reopen, path } = sessionOf();
    log.append(said('one'));
    log.append(said('two'));
    log.close();
    truncateSync(path, statSync(path).size - 1);
    const opened = reopen();
    expect(textsIn(opened.records)).toEqual(['one', 'two']);
    expect(opened.warnings).toHaveLength(1);
    opened.log.append(said('three'));
    opened.log.close();
    expect(textsIn(reopen().records)).toEqual(['one', 'two', 'three']);
  });

  test.each([
    ['a run of NULs as a line [D-08, X1]', `${'\0'.repeat(400)}\n`],
    ['a splice of two records [D-09, P20, C96]', '{"type":"message","n":2,"at":"x","mess{"type":"message","n":3}\n'],
    ['bytes that are no text', '\xff\xfe\x80{]\n'],
    ['a record of a known kind with wrong fields', '{"type":"message","n":2,"at":"x"}\n'],
    ['a second header', `${JSON.stringify({ ...headerOf(ID), n: 9, at: 'x' })}\n`],
  ])('with %s in the middle skips it, says where, and goes on behind it', (_, junk) => {
    const { log, reopen, path } = sessionOf();
    log.append(said('one'));
    log.close();
    const position = statSync(path).size;
    appendFileSync(path, Buffer.from(junk, 'latin1'));
    const opened = reopen();
    const { n } = opened.log.append(said('two'));
    opened.log.close();
    const again = reopen();
    expect(textsIn(again.records)).toEqual(['one', 'two']);
    expect(n).toBeGreaterThan(1);
    expect(again.warnings).toHaveLength(1);
    expect(again.warnings[0]?.en).toContain(path);
    expect(again.warnings[0]?.en).toContain(`byte ${position}`);
    expect(readFileSync(path).includes(Buffer.from(junk, 'latin1'))).toBe(true);
    again.log.close();
  });

  test('is none for an empty line, such as an editor leaves', () => {
    const { log, reopen, path } = sessionOf();
    log.append(said('one'));
    log.close();
    appendFileSync(path, '\n\n');
    const opened = reopen();
    expect([textsIn(opened.records), opened.warnings]).toEqual([['one'], []]);
    expect(opened.log.append(said('two')).n).toBe(2);
    opened.log.close();
  });

  test('keeps a record behind a run of NULs, and tells of them [X1]', () => {
    const { log, reopen, path } = sessionOf();
    const record = log.append(said('one'));
    log.close();
    const head = readFileSync(path, 'utf8').split('\n')[0];
    writeFileSync(path, `${head}\n${'\0'.repeat(300)}${JSON.stringify(record)}\n`);
    const opened = reopen();
    expect(textsIn(opened.records)).toEqual(['one']);
    expect(opened.warnings).toHaveLength(1);
  });

  test('whose newest checkpoint is damaged goes back to the one before [X2]', () => {
    const { log, reopen, path } = sessionOf();
    log.append({ type: 'checkpoint', reason: 'repeat', context: contextOf([]) });
    log.append(said('between'));
    const from = statSync(path).size;
    log.append({ type: 'checkpoint', reason: 'compaction', context: contextOf([]) });
    log.append(said('after'));
    log.close();
    const bytes = readFileSync(path);
    bytes.fill('#', from + 30, from + 60);
    writeFileSync(path, bytes);
    const opened = reopen();
    expect(textsIn(opened.records)).toEqual(['checkpoint', 'between', 'after']);
    expect(opened.warnings).toHaveLength(1);
  });

  test('with records of a newer version leaves them alone and says so once [D-41]', () => {
    const { log, reopen, path } = sessionOf();
    log.close();
    appendFileSync(path, '{"type":"dream","n":1,"at":"x","text":"zzz"}\n{"type":"dream","n":2,"at":"x"}\n');
    const opened = reopen();
    expect(opened.records).toEqual([]);
    expect(opened.warnings).toMatchObject([{ en: expect.stringContaining('"dream"') }]);
    expect(opened.log.append(said('one')).n).toBe(3);
    expect(readFileSync(path, 'utf8')).toContain('"text":"zzz"');
  });

  test.each([
    ['is empty [X4, D-10]', ''],
    ['has lost its header [P27, C96]', '{"type":"message","n":1}\n{"type":"mess'],
    ['is a run of NULs [D-11]', '\0'.repeat(413)],
    ['belongs to another session [C93, S-36]', `${JSON.stringify({ ...headerOf('other'), n: 0, at: 'x' })}\n`],
    ['begins with a torn header', '{"type":"header","v":1,"sess'],
  ])('that %s is refused and left as it is', (_, text) => {
    const { store, paths } = storeOf();
    mkdirSync(paths.session(ID), { recursive: true });
    writeFileSync(paths.log(ID), text);
    expect(thrownBy(() => store.sessions.open(ID))).toMatchObject({
      code: 'store_damaged',
      message: expect.stringContaining(paths.log(ID)),
    });
    expect(readFileSync(paths.log(ID), 'utf8')).toBe(text);
    expect(namesOf(paths.session(ID))).toEqual(['log.jsonl']);
  });

  test('is never made anew over what is there [P27]', () => {
    const { store, log, path } = sessionOf();
    log.append(said('mine'));
    const before = readFileSync(path);
    expect(thrownBy(() => store.sessions.create(headerOf(ID)))).toMatchObject({ code: 'store_failed' });
    expect(readFileSync(path).equals(before)).toBe(true);
  });
});

describe('a log that cannot be written', () => {
  test.each(['ENOSPC', 'EIO', 'EFBIG', 'EDQUOT', 'EROFS'])(
    'for %s throws, is as before, and takes the next record [D-14, D-17, D-19, C97]',
    (code) => {
      let broken = false;
      let part = true;
      const at = (point: string) => {
        if (!broken || point !== 'append.write') return undefined;
        if (!part) throw systemError(code);
        part = false;
        return 10;
      };
      const { log, path, reopen } = sessionOf({ at });
      log.append(said('one'));
      const before = readFileSync(path);
      broken = true;
      const thrown = thrownBy(() => log.append(said('lost')));
      expect(thrown).toMatchObject({ code: 'store_failed', message: expect.stringContaining(path), cause: { code } });
      expect(readFileSync(path).equals(before)).toBe(true);
      broken = false;
      expect(log.append(said('two')).n).toBe(2);
      log.close();
      expect(textsIn(reopen().records)).toEqual(['one', 'two']);
    },
  );

  test('whose sync failed takes the record back and does not believe a second sync on the same handle [D-18]', () => {
    const points: string[] = [];
    let broken = false;
    const at = (point: string) => {
      points.push(point);
      if (broken && point === 'append.sync') {
        broken = false;
        throw systemError('EIO');
      }
      return undefined;
    };
    const { log, path, reopen } = sessionOf({ at });
    log.append(said('one'));
    const before = readFileSync(path);
    broken = true;
    expect(() => log.append(said('lost'))).toThrow(/the disk reports a read or write error/);
    expect(readFileSync(path).equals(before)).toBe(true);
    points.length = 0;
    log.append(said('two'));
    expect(points).toEqual(['append.reopen', 'append.write', 'append.sync', 'append.end']);
    log.close();
    expect(textsIn(reopen().records)).toEqual(['one', 'two']);
  });

  test('nor cut back has the torn line cut off before the next record [P20]', () => {
    let broken = false;
    let part = true;
    const at = (point: string) => {
      if (!broken) return undefined;
      if (point === 'append.truncate') throw systemError('EIO');
      if (point !== 'append.write') return undefined;
      if (!part) throw systemError('ENOSPC');
      part = false;
      return 25;
    };
    const { log, reopen, path } = sessionOf({ at });
    log.append(said('one'));
    const { size } = statSync(path);
    broken = true;
    expect(() => log.append(said('lost'))).toThrow(/the disk is full/);
    expect(statSync(path).size).toBe(size + 25);
    broken = false;
    log.append(said('two'));
    log.close();
    const opened = reopen();
    expect(textsIn(opened.records)).toEqual(['one', 'two']);
    expect(opened.warnings).toEqual([]);
  });

  test('because a record is nested too deep says so and takes the next one', () => {
    const { log } = sessionOf();
    let deep: unknown = 1;
    for (let i = 0; i < 100_000; i++) deep = [deep];
    expect(thrownBy(() => log.append({ type: 'message', message: calls({ id: 't', input: deep }) }))).toMatchObject({
      code: 'store_failed',
    });
    expect(log.append(said('one')).n).toBe(1);
  });

  test('because its folder was deleted is written again, lock and all [P17, D-30]', () => {
    const { log, paths, told, reopen, store } = sessionOf();
    log.append(said('one'));
    rmSync(paths.home, { recursive: true });
    log.append(said('two'));
    expect(told).toEqual([expect.stringContaining('written again')]);
    expect(thrownBy(() => store.sessions.open(ID))).toMatchObject({ code: 'session_locked' });
    log.close();
    expect(textsIn(reopen().records)).toEqual(['one', 'two']);
    expect(existsSync(paths.home)).toBe(true);
  });

  test('because another file stands in its place is refused, and nothing is overwritten', () => {
    const { log, path } = sessionOf();
    log.append(said('one'));
    renameSync(path, `${path}.old`);
    writeFileSync(path, 'something else\n');
    expect(thrownBy(() => log.append(said('two')))).toMatchObject({
      code: 'store_failed',
      message: expect.stringContaining('changed by another program'),
    });
    expect(readFileSync(path, 'utf8')).toBe('something else\n');
  });

  test('because somebody else appended to it is refused, and the foreign line stays [C95]', () => {
    const { log, path } = sessionOf();
    appendFileSync(path, 'foreign\n');
    expect(() => log.append(said('two'))).toThrow(/changed by another program/);
    expect(readFileSync(path, 'utf8')).toMatch(/foreign\n$/);
  });
});

describe('making a session', () => {
  test('leaves nothing behind when it fails at any step, and can be tried again [D-26]', () => {
    const points: string[] = [];
    sessionOf({ at: (point) => void points.push(point) });
    expect(points.length).toBeGreaterThan(8);
    for (let k = 0; k < points.length; k++) {
      let count = 0;
      let broken = true;
      const at = () => {
        if (broken && count++ === k) throw systemError('ENOSPC');
        return undefined;
      };
      const { store, paths } = storeOf({ at });
      expect(
        thrownBy(() => store.sessions.create(headerOf(ID))),
        points[k],
      ).toMatchObject({ code: 'store_failed' });
      expect(lstatSync(paths.session(ID), { throwIfNoEntry: false }), points[k]).toBeUndefined();
      broken = false;
      const { log } = store.sessions.create(headerOf(ID));
      log.append(said('one'));
      log.close();
      expect(textsIn(store.sessions.open(ID).records)).toEqual(['one']);
    }
  });

  test('gives two sessions of one second ids of their own [D-37]', () => {
    const { store } = storeOf();
    const ids = [store.sessions.newSessionId(), store.sessions.newSessionId()];
    expect(new Set(ids).size).toBe(2);
    for (const id of ids) expect(id).toMatch(/^20260304-050607-[a-z0-9]{6}$/);
  });

  test('in a home that may not be written says what and where [D-28]', () => {
    const { store, paths } = storeOf({ at: failing('folder.make', 'EACCES') });
    expect(thrownBy(() => store.sessions.create(headerOf(ID)))).toMatchObject({
      code: 'store_failed',
      message: `Cannot make the folder ${paths.home}: permission denied`,
    });
  });
});
