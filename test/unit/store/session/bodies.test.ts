import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bodyRefOf, decodeBody, encodeBody, sha256Of } from '../../../../src/store/session/bodies/body-text.ts';
import { failing, headerOf, modeOf, namesOf, storeOf, thrownBy, type WorldOptions } from '../files/world.ts';

function bodiesOf(options: WorldOptions & { readonly maxSessionBytes?: number } = {}) {
  const made = storeOf(options);
  const open = () => made.store.bodies('s1');
  const save = (text: string, bodies = open()) => {
    const saved = bodies.save(text);
    if (saved === undefined) throw new Error('not saved');
    return saved;
  };
  return { ...made, open, save, bodies: open(), folder: made.paths.offloaded('s1'), retired: made.paths.retiredBodies('s1') };
}

describe('a body', () => {
  test('is a private file named by its content, with real line ends, that sha256sum confirms [C56, S-33]', () => {
    const { save, bodies } = bodiesOf();
    const { ref, path } = save('one\n二\n');
    expect(readFileSync(path, 'utf8')).toBe('one\n二\n');
    expect(sha256Of(readFileSync(path))).toBe(ref.sha256);
    expect(ref).toMatchObject({ bytes: 8, lines: 2 });
    expect(path).toBe(bodies.path(ref));
    expect(path).toMatch(new RegExp(`/offloaded/${ref.sha256.slice(0, 32)}\\.txt$`));
    expect([modeOf(path), modeOf(dirname(path))]).toEqual(['600', '700']);
  });

  test.each([
    ['', 0],
    ['a', 1],
    ['a\n', 1],
    ['a\nb', 2],
    ['\n\n', 2],
  ])('of %j has its lines counted as %i', (text, lines) => {
    expect(bodyRefOf(encodeBody(text)).lines).toBe(lines);
  });

  test('comes back as it was, whatever is in it [B-01, B-03]', () => {
    const texts = ['', '\ufeffmark', 'half \ud83d', '\ude00\ud83d', '😀\ud83d😀', 'a\0b\r\n\u2028\u2029\u0085', '\ufffd', '中文'.repeat(9)];
    for (const text of texts) {
      const { save, bodies } = bodiesOf();
      expect(bodies.read(save(text).ref)).toBe(text);
    }
  });

  test('is stored once, however often and by whomever it is saved [S12]', () => {
    const { save, open, folder } = bodiesOf();
    expect(save('same')).toEqual(save('same', open()));
    expect(namesOf(folder)).toHaveLength(1);
  });

  test('that was changed on disk is told from the real one, and written again when saved [D-44, S5]', () => {
    const { save, bodies } = bodiesOf();
    const { ref, path } = save('right');
    writeFileSync(path, 'wrong');
    expect(bodies.read(ref)).toBeUndefined();
    save('right');
    expect(bodies.read(ref)).toBe('right');
    rmSync(path);
    expect(bodies.read(ref)).toBeUndefined();
  });

  test('behind a link is not read [S-37]', () => {
    const { save, bodies } = bodiesOf();
    const { ref, path } = save('right');
    writeFileSync(`${path}.elsewhere`, 'right');
    rmSync(path);
    symlinkSync(`${path}.elsewhere`, path);
    expect(bodies.read(ref)).toBeUndefined();
  });

  test('beyond the cap of the session is not written; one that is there already is [C56e, N6]', () => {
    const { save, open } = bodiesOf({ maxSessionBytes: 10 });
    save('12345678');
    expect(open().save('abc')).toBeUndefined();
    expect(save('12345678').ref.bytes).toBe(8);
    save('ab');
    expect(bodiesOf({ maxSessionBytes: 0 }).bodies.save('a')).toBeUndefined();
  });

  test('that cannot be written throws with nothing left behind [D-19, D-20]', () => {
    for (const [point, code] of [
      ['body.write', 'ENOSPC'],
      ['body.sync', 'EIO'],
      ['body.rename', 'EXDEV'],
    ] as const) {
      const { bodies, folder } = bodiesOf({ at: failing(point, code) });
      expect(thrownBy(() => bodies.save('text'))).toMatchObject({ code: 'store_failed', cause: { code } });
      expect(namesOf(folder)).toEqual([]);
    }
  });
});

test('every string has one encoding and comes back from it, UTF-8 when it is well formed [B-03]', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.string({ unit: fc.integer({ min: 0xd7f0, max: 0xe010 }).map((unit) => String.fromCharCode(unit)), maxLength: 20 }),
      (a, b) => {
        for (const text of [a, b, a + b]) {
          expect(decodeBody(encodeBody(text))).toBe(text);
          if (text.isWellFormed()) expect(encodeBody(text).equals(Buffer.from(text))).toBe(true);
        }
      },
    ),
  );
});

describe('retiring bodies', () => {
  test('moves those that nothing refers to into bodies.jsonl, where they are still read [S10, S17]', () => {
    const { save, bodies, open, folder, retired } = bodiesOf();
    const kept = save('kept').ref;
    const gone = ['one', 'two\u2028', 'half \ud83d'].map((text) => save(text).ref);
    expect(bodies.retire(new Set([kept.sha256]))).toEqual({ retired: 3, failed: [] });
    expect(namesOf(folder)).toEqual([`${kept.sha256.slice(0, 32)}.txt`]);
    for (const reader of [bodies, open()]) {
      expect(gone.map((ref) => reader.read(ref))).toEqual(['one', 'two\u2028', 'half \ud83d']);
      expect(reader.read(kept)).toBe('kept');
    }
    expect(readFileSync(retired, 'utf8').split('\n')).toHaveLength(4);
    expect(modeOf(retired)).toBe('600');
  });

  test('twice keeps one line: a body that came back only loses its file', () => {
    const { save, bodies, retired } = bodiesOf();
    const { ref } = save('again');
    bodies.retire(new Set());
    save('again');
    expect(bodies.retire(new Set())).toEqual({ retired: 1, failed: [] });
    expect(bodies.read(ref)).toBe('again');
    expect(readFileSync(retired, 'utf8').trimEnd().split('\n')).toHaveLength(1);
  });

  test('leaves the files where they are when bodies.jsonl cannot take them [C96, S3, C110]', () => {
    const { save, bodies, folder } = bodiesOf({ at: failing('bodies.write', 'ENOSPC', 1) });
    const { ref } = save('one');
    const first = bodies.retire(new Set());
    expect(first).toMatchObject({ retired: 0, failed: [{ en: expect.stringContaining('the disk is full') }] });
    expect(namesOf(folder)).toHaveLength(1);
    expect(bodies.read(ref)).toBe('one');
    expect(bodies.retire(new Set())).toEqual({ retired: 1, failed: [] });
  });

  test('reports a file that cannot be deleted, and goes on [S11]', () => {
    const { save, bodies } = bodiesOf({ at: failing('retire.unlink', 'EACCES', 1) });
    const refs = [save('one').ref, save('two').ref];
    expect(bodies.retire(new Set())).toMatchObject({ retired: 1, failed: [{ en: expect.stringContaining('Cannot delete') }] });
    expect(refs.map((ref) => bodies.read(ref))).toEqual(['one', 'two']);
  });

  test('leaves alone a file that is not what its name says, and whatever is no body [C103]', () => {
    const { save, bodies, folder } = bodiesOf();
    const { path } = save('one');
    writeFileSync(path, 'changed');
    writeFileSync(`${folder}/notes.txt`, 'mine');
    expect(bodies.retire(new Set())).toMatchObject({ retired: 0, failed: [{ en: expect.stringContaining(path) }] });
    expect(namesOf(folder)).toHaveLength(2);
  });

  test('of many large ones goes in batches, none lost', () => {
    const { save, bodies, open } = bodiesOf();
    const texts = Array.from({ length: 5 }, (_, i) => `${i}`.repeat(3_000_000));
    const refs = texts.map((text) => save(text).ref);
    expect(bodies.retire(new Set()).retired).toBe(5);
    const reader = open();
    refs.forEach((ref, i) => {
      expect(reader.read(ref)).toBe(texts[i]);
    });
  });

  test('counts retired bodies against the cap', () => {
    const { save, bodies } = bodiesOf({ maxSessionBytes: 200 });
    save('x'.repeat(80));
    bodies.retire(new Set());
    expect(bodies.save('y'.repeat(80))).toBeUndefined();
  });
});

describe('a body by the path in its stub', () => {
  test('is read while it is a file and after it was retired, damaged files apart [S10, S16]', () => {
    const { save, bodies } = bodiesOf();
    const one = save('one');
    const two = save('two');
    bodies.retire(new Set([two.ref.sha256]));
    expect([bodies.readPath(one.path), bodies.readPath(two.path)]).toEqual(['one', 'two']);
    writeFileSync(two.path, 'owt');
    expect(bodies.readPath(two.path)).toBeUndefined();
  });

  test('is not read by any other path, whatever lies there [S6, S7, S-02]', () => {
    const { save, bodies, store, folder } = bodiesOf();
    const { path } = save('mine');
    const other = store.bodies('s2').save('theirs')?.path ?? '';
    writeFileSync(`${folder}/notes.txt`, 'notes');
    const tried = [
      other,
      `${folder}/notes.txt`,
      `${folder}/../offloaded/${basename(path)}`,
      basename(path),
      '/etc/passwd',
      '',
      `${path}\0`,
    ];
    expect(tried.map((each) => bodies.readPath(each))).toEqual(tried.map(() => undefined));
  });

  test('tells when bodies.jsonl cannot be read', () => {
    const { save, bodies, retired } = bodiesOf();
    const { path } = save('one');
    rmSync(path);
    mkdirSync(retired);
    expect(thrownBy(() => bodies.readPath(path))).toMatchObject({ code: 'store_damaged', message: expect.stringContaining(retired) });
  });
});

describe('bodies.jsonl', () => {
  test('with a torn last line is repaired when the session is opened, and told [D-06]', () => {
    const { store, save, bodies, retired } = bodiesOf();
    const { log } = store.sessions.create(headerOf('s1'));
    const { ref } = save('one');
    bodies.retire(new Set());
    log.close();
    appendFileSync(retired, '{"sha256":"00');
    const opened = store.sessions.open('s1');
    expect(opened.warnings).toMatchObject([{ en: expect.stringContaining('bodies.jsonl') }]);
    const { ref: second } = save('two');
    bodies.retire(new Set());
    expect([bodies.read(ref), bodies.read(second)]).toEqual(['one', 'two']);
  });

  test('with a damaged line loses that body only [D-09]', () => {
    const { save, bodies, open, retired } = bodiesOf();
    const refs = ['one', 'two', 'three'].map((text) => save(text).ref);
    bodies.retire(new Set());
    const lines = readFileSync(retired, 'utf8').trimEnd().split('\n');
    const at = lines.findIndex((line) => line.includes(`"${refs[1]?.sha256}"`));
    lines[at] = lines[at]?.replace('"two"', '"owt"') ?? '';
    writeFileSync(retired, `${lines.join('\n')}\n`);
    expect(refs.map((ref) => open().read(ref))).toEqual(['one', undefined, 'three']);
    expect(bodies.read(refs[2] ?? refs[0] ?? { sha256: '', bytes: 0, lines: 0 })).toBe('three');
  });

  test('of an earlier version, whose lines have no checksum, gives back what its hash says and nothing else [S16]', () => {
    const { save, bodies, retired } = bodiesOf();
    const { ref } = save('one');
    bodies.retire(new Set());
    for (const [text, read] of [
      ['one', 'one'],
      ['eno', undefined],
    ] as const) {
      writeFileSync(retired, `${JSON.stringify({ sha256: ref.sha256, bytes: 3, lines: 1, text })}\n`);
      expect(bodies.read(ref)).toBe(read);
    }
  });

  test('that was replaced by a shorter one is read anew', () => {
    const { save, bodies, retired } = bodiesOf();
    const first = save('a much longer body than the other').ref;
    bodies.retire(new Set());
    expect(bodies.read(first)).toBeDefined();
    const other = bodiesOf();
    const { ref } = other.save('short');
    other.bodies.retire(new Set());
    writeFileSync(retired, readFileSync(other.retired));
    expect([bodies.read(first), bodies.read(ref)]).toEqual([undefined, 'short']);
  });
});

describe('restoring bodies', () => {
  test('writes what is missing, beyond the cap too, and nothing else [B10]', () => {
    const { save, open, bodies } = bodiesOf({ maxSessionBytes: 20 });
    const { ref } = save('kept');
    const lost = { ref: bodyRefOf(encodeBody('lost and restored whole')), text: 'lost and restored whole' };
    const before = statSync(bodies.path(ref)).ino;
    bodies.restore([{ ref, text: 'kept' }, lost]);
    expect(open().read(lost.ref)).toBe(lost.text);
    expect(statSync(bodies.path(ref)).ino).toBe(before);
  });

  test('refuses a text that is not what its hash says [S-36, S16]', () => {
    const { bodies } = bodiesOf();
    const ref = bodyRefOf(encodeBody('right'));
    expect(thrownBy(() => bodies.restore([{ ref, text: 'wrong' }]))).toMatchObject({ code: 'store_damaged' });
    expect(existsSync(bodies.path(ref))).toBe(false);
  });
});

test('a body cannot be put where a folder is in the way, and says so [B-15]', () => {
  const { bodies } = bodiesOf();
  const ref = bodyRefOf(encodeBody('text'));
  mkdirSync(bodies.path(ref), { recursive: true });
  expect(thrownBy(() => bodies.save('text'))).toMatchObject({ code: 'store_failed', message: expect.stringContaining('is a folder') });
});
