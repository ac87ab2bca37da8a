import { appendFileSync, readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { contentFiles, createContents } from '../../../../src/store/changes/contents.ts';
import { sha256Of } from '../../../../src/store/session/bodies/body-text.ts';
import { failing, namesOf, systemError, thrownBy, type WorldOptions, worldOf } from '../files/world.ts';

function contentsOf(options: WorldOptions = {}) {
  const { disk, paths } = worldOf(options);
  const folder = join(paths.home, 'changes');
  return { folder, contents: createContents(disk, folder), reopen: () => createContents(disk, folder) };
}

const bytesOf = (text: string): Buffer => Buffer.from(text);

describe('contents', () => {
  test('come back to the byte, in this process and in the next, each kept once', () => {
    const { contents, reopen, folder } = contentsOf();
    const texts = ['', 'one\n', '中文\0\xff', 'x'.repeat(300_000)];
    const names = texts.map((text) => contents.add(bytesOf(text)));
    contents.commit();
    const size = readFileSync(join(folder, 'contents-1')).length;
    for (const text of texts) contents.add(bytesOf(text));
    contents.commit();
    expect(readFileSync(join(folder, 'contents-1')).length).toBe(size);
    for (const each of [contents, reopen()]) expect(names.map((name) => each.read(name)?.toString())).toEqual(texts);
    expect(reopen().bytes()).toBe(texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0));
    expect(contents.read('0'.repeat(64))).toBeUndefined();
  });

  test('cut off anywhere by a crash lose what was cut off alone, and go on behind the rest', () => {
    for (let cut = 1; cut < 90; cut += 4) {
      const { contents, reopen, folder } = contentsOf();
      const [first, second] = [contents.add(bytesOf('first')), contents.add(bytesOf('second'))];
      contents.commit();
      const path = join(folder, 'contents-1');
      truncateSync(path, readFileSync(path).length - cut);
      const again = reopen();
      const isWhole = again.has(first);
      expect(again.read(second)).toBeUndefined();
      again.add(bytesOf('third'));
      again.commit();
      expect(
        reopen()
          .read(sha256Of(bytesOf('third')))
          ?.toString(),
      ).toBe('third');
      expect(reopen().read(first)?.toString()).toBe(isWhole ? 'first' : undefined);
    }
  });

  test('that the disk does not take are not claimed, and those before them stay [C94]', () => {
    for (const point of ['contents.write', 'contents.sync']) {
      let isFull = false;
      const at = (name: string): undefined => {
        if (isFull && name === point) throw systemError('ENOSPC');
      };
      const { contents, reopen } = contentsOf({ at });
      const kept = contents.add(bytesOf('kept'));
      contents.commit();
      isFull = true;
      const lost = contents.add(bytesOf('lost'));
      expect(thrownBy(contents.commit)).toMatchObject({ code: 'store_failed' });
      isFull = false;
      for (const each of [contents, reopen()]) expect([each.has(kept), each.has(lost), each.bytes()]).toEqual([true, false, 4]);
    }
    expect(failing('x', 'EIO')('y')).toBeUndefined();
  });

  test('that were changed on disk are not given out', () => {
    const { contents, reopen, folder } = contentsOf();
    const name = contents.add(bytesOf('as it was'));
    contents.commit();
    const path = join(folder, 'contents-1');
    const text = readFileSync(path, 'latin1').replace('as it was', 'as it is!');
    truncateSync(path, 0);
    appendFileSync(path, text, 'latin1');
    expect(reopen().read(name)).toBeUndefined();
  });

  test('that nobody needs are dropped, the others stay', () => {
    const { contents, reopen, folder } = contentsOf();
    const names = ['a', 'b', 'c'].map((text) => contents.add(bytesOf(text)));
    contents.commit();
    contents.retain((sha256) => sha256 === names[1]);
    for (const each of [contents, reopen()]) expect(names.map((name) => each.has(name))).toEqual([false, true, false]);
    expect(contents.read(names[1] ?? '')?.toString()).toBe('b');
    contents.retain(() => false);
    expect([contentFiles(folder), namesOf(folder)]).toEqual([[], []]);
  });
});
