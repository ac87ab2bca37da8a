import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RecordFileChange } from '../../../../src/agent/ports/disk.ts';
import { sameInBoth } from '../../../../src/domain/language.ts';
import type { ToolContext } from '../../../../src/tools/tool-context.ts';
import { createWorld } from '../world.ts';

const textIn = (file: Parameters<RecordFileChange>[0]['before']) => file?.content && Buffer.from(file.content).toString();

const calls = [
  ['edit_file', { path: 'a.txt', old_string: 'one', new_string: 'two' }],
  ['write_file', { path: 'a.txt', content: 'two' }],
  ['write_file', { path: 'b.txt', content: 'two' }],
] as const;

describe('what a file tool is about to change', () => {
  test('is recorded, with both contents and the folders made for it, before it is changed', async () => {
    const records: unknown[] = [];
    const recorder: ToolContext['fileChangeRecorder'] = async () => (change) => {
      const { path, tool, folders, before, after } = change;
      const now = existsSync(path) ? readFileSync(path, 'utf8') : undefined;
      records.push([path, tool, folders, textIn(before), before?.mode, textIn(after), now]);
      return undefined;
    };
    const world = createWorld({ fileChangeRecorder: recorder });
    const path = world.put('甲/a.txt', 'one\n', 0o640);
    await world.call('edit_file', { path: '甲/a.txt', old_string: 'one', new_string: '二' });
    await world.call('write_file', { path: 'new/sub/b.txt', content: 'x' });
    const folder = join(world.cwd, 'new');
    expect(records).toEqual([
      [path, 'edit_file', [], 'one\n', 0o640, '二\n', 'one\n'],
      [join(folder, 'sub', 'b.txt'), 'write_file', [folder, join(folder, 'sub')], undefined, undefined, 'x', undefined],
    ]);
  });

  test('stays as it is when that cannot be recorded', async () => {
    const fail = (): never => {
      throw new Error('the disk is full');
    };
    for (const fileChangeRecorder of [async () => fail, async () => fail()]) {
      const world = createWorld({ fileChangeRecorder });
      world.put('a.txt', 'one');
      for (const [tool, input] of calls)
        expect(await world.call(tool, input)).toMatchObject({ ok: false, content: expect.stringContaining('the disk is full') });
      expect([world.get('a.txt'), existsSync(join(world.cwd, 'b.txt'))]).toEqual(['one', false]);
    }
  });

  test('is told when it is not kept, and why [D-47, C108]', async () => {
    const world = createWorld({ fileChangeRecorder: async () => () => sameInBoth('it is too large') });
    world.put('large.txt', 'x'.repeat(100));
    const { note } = await world.call('write_file', { path: 'large.txt', content: 'small' });
    expect(note.en).toContain('what it held before is not kept: it is too large');
    expect(world.get('large.txt')).toBe('small');
  });
});
