import { appendFileSync, existsSync, mkdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { undoOf } from '../../../../src/context/history/past.ts';
import type { Entry } from '../../../../src/domain/session/change.ts';
import type { FileContent } from '../../../../src/domain/session/record.ts';
import type { Changes } from '../../../../src/store/changes/changes.ts';
import { readVersion } from '../../../../src/store/changes/former-versions.ts';
import { sha256Of as hashOf } from '../../../../src/store/session/bodies/body-text.ts';
import { openRecord } from '../../../support/change-records.ts';
import { run } from '../../../support/destructive.ts';
import { gitIn } from '../../../support/repositories.ts';
import { failing, keepFormerVersion, newFolder, thrownBy, type WorldOptions, worldOf } from '../files/world.ts';

const CAPS = { fileBytes: 64 << 20, sessionBytes: 512 << 20 };

function worldWith(options: WorldOptions & { readonly caps?: Partial<typeof CAPS> } = {}) {
  const world = worldOf({ now: () => new Date(), ...options });
  const { disk, paths } = world;
  const root = join(realpathSync(newFolder()), '工作 w');
  mkdirSync(root);
  const open = (): Changes =>
    openRecord(disk, paths.changes('s1'), {
      caps: { ...CAPS, ...options.caps },
      former: (sha256) => readVersion(paths, 's1', sha256),
    });
  return { ...world, root, at: (name: string) => join(root, name), open, changes: open() };
}

let calls = 0;
const actor = (title: string) => ({ id: `call-${++calls}`, title, record: calls });
const contentOf = (path: string): FileContent | undefined =>
  existsSync(path) ? { ...held(readFileSync(path, 'utf8')), mode: statSync(path).mode & 0o777 } : undefined;
const held = (text: string): FileContent => ({
  fingerprint: hashOf(Buffer.from(text)),
  bytes: Buffer.byteLength(text),
  content: Buffer.from(text),
});

/** What a file tool does: writes down, then writes. */
function edit(changes: Changes, path: string, text: string) {
  const folders = existsSync(dirname(path)) ? [] : [dirname(path)];
  for (const folder of folders) mkdirSync(folder);
  const why = changes.edit({ path, folders, before: contentOf(path), after: held(text) }, actor('edit_file'));
  writeFileSync(path, text);
  return why;
}

function command(changes: Changes, root: string, line: string) {
  const running = changes.begin(root, actor(line));
  run(root, line);
  return running.end().set;
}

const undosOf = (changes: Changes) => undoOf(changes.sets(), () => true).filter(({ path, target }) => !changes.isNow(path, target));

async function undo(changes: Changes, root: string) {
  const undos = undosOf(changes);
  const conflicts = undos.filter(({ path, expected, earlier }) => earlier !== undefined || !changes.isNow(path, expected));
  const problems = await changes.restore(
    undos.map(({ path, target }) => ({ path, to: target })),
    root,
    actor('restore'),
  );
  return { problems, conflicts };
}

const titles = (changes: Changes) => changes.sets().map(({ by }) => by?.title);

describe('an edit of a file', () => {
  test('is among what commands changed, and comes back: bytes, mode, and nothing where nothing was [P29]', async () => {
    const { changes, root, at, open } = worldWith();
    writeFileSync(at('甲.sh'), 'one\n', { mode: 0o750 });
    edit(changes, at('甲.sh'), 'two\n');
    edit(changes, at('new/made.txt'), 'x');
    edit(changes, at('甲.sh'), 'three\n');
    expect(titles(open())).toEqual(['edit_file', 'edit_file', 'edit_file']);
    expect(await undo(open(), root)).toEqual({ problems: [], conflicts: [] });
    expect([readFileSync(at('甲.sh'), 'utf8'), statSync(at('甲.sh')).mode & 0o777]).toEqual(['one\n', 0o750]);
    expect(existsSync(at('new'))).toBe(false);
  });

  test('is on disk with what stood there before the file is touched, or throws and is not written down', () => {
    for (const point of ['contents.write', 'contents.sync', 'changes.write', 'changes.sync']) {
      const { root, changes, at, open } = worldWith({ at: failing(point, 'ENOSPC') });
      writeFileSync(at('a'), 'one');
      expect(thrownBy(() => changes.edit({ path: at('a'), before: contentOf(at('a')), after: held('two') }, actor('edit')))).toMatchObject({
        code: 'store_failed',
      });
      expect([open().sets(), root.length > 0]).toEqual([[], true]);
    }
  });

  test('tells what is too large to be kept, or beyond what a session keeps, and keeps each content once [C108, D-47]', async () => {
    const { changes, root, at } = worldWith({ caps: { fileBytes: 10, sessionBytes: 20 } });
    writeFileSync(at('large'), 'x'.repeat(11));
    expect(edit(changes, at('large'), 'small')).toMatchObject({ en: 'it is too large' });
    writeFileSync(at('a'), '0123456789');
    expect(edit(changes, at('a'), 'small')).toBeUndefined();
    expect(edit(changes, at('a'), '0123456789')).toBeUndefined();
    writeFileSync(at('b'), 'abcdef');
    expect(edit(changes, at('b'), 'small')).toMatchObject({ en: 'the session keeps too much already' });
    expect((await undo(changes, root)).problems.map(({ path }) => path)).toEqual([at('b'), at('large')]);
    expect(['large', 'b'].map((name) => readFileSync(at(name), 'utf8'))).toEqual(['small', 'small']);
    const huge: FileContent = { fingerprint: '99-1-1', bytes: 99, mode: 0o644, content: undefined };
    expect(changes.edit({ path: at('huge'), before: huge, after: held('x') }, actor('edit'))).toMatchObject({ en: 'it is too large' });
  });

  test('is not told again as what somebody else changed, in this process or the next one', () => {
    const { changes, root, at, open } = worldWith();
    writeFileSync(at('a'), 'one');
    edit(changes, at('first'), 'before any command');
    command(changes, root, 'echo x > made');
    edit(changes, at('a'), 'two');
    edit(changes, at('sub/new'), 'n');
    command(changes, root, 'echo y > made');
    edit(changes, at('a'), 'three');
    edit(changes, at('other/new'), 'n');
    const again = open();
    command(again, root, 'echo z > made');
    const expected = ['edit_file', 'echo x > made', 'edit_file', 'edit_file', 'echo y > made', 'edit_file', 'edit_file', 'echo z > made'];
    expect(titles(again)).toEqual(expected);
    // What changed between the edit and the first command is nobody's, and nothing is claimed of it.
    expect(titles(open())).toEqual(expected);
  });

  test('and what others change after it are told apart', () => {
    const { changes, root, at } = worldWith();
    command(changes, root, 'echo x > made');
    edit(changes, at('a'), 'two');
    appendFileSync(at('a'), ', mine');
    command(changes, root, 'rm a');
    expect(titles(changes)).toEqual(['echo x > made', 'edit_file', undefined, 'rm a']);
  });

  test('and a command that changes the same file are undone through both', async () => {
    const { changes, root, at, open } = worldWith();
    writeFileSync(at('a'), 'one\n');
    edit(changes, at('a'), 'two\n');
    command(changes, root, 'sed -i s/two/three/ a');
    edit(changes, at('a'), 'four\n');
    command(open(), root, 'rm a');
    expect(await undo(open(), root)).toEqual({ problems: [], conflicts: [] });
    expect(readFileSync(at('a'), 'utf8')).toBe('one\n');
  });

  test('of a file whose bytes git keeps is undone through the command that brought it there', async () => {
    const { changes, root, at } = worldWith();
    const git = gitIn(root);
    git('init', '-q');
    const names = Array.from({ length: 150 }, (_, i) => `f${i}`);
    for (const text of ['old', 'new']) {
      for (const name of names) writeFileSync(at(name), `${text} ${name}`);
      git('add', '-A');
      git('commit', '-qm', text);
    }
    command(changes, root, 'git checkout -q HEAD~1');
    edit(changes, at('f7'), 'edited');
    const set = command(changes, root, 'sleep 0.1; touch f*; git add -A');
    expect(set?.changes.map(({ path }) => path.slice(root.length + 1)).filter((path) => !path.startsWith('.git/'))).toEqual([]);
    expect(await undo(changes, root)).toEqual({ problems: [], conflicts: [] });
    expect(readFileSync(at('f7'), 'utf8')).toBe('new f7');
  });

  test('that was written down and never happened is found as it was', async () => {
    const { changes, root, at, open } = worldWith();
    command(changes, root, 'echo x > made');
    writeFileSync(at('a'), 'one');
    changes.edit({ path: at('a'), before: contentOf(at('a')), after: held('two') }, actor('edit_file'));
    expect(undosOf(open()).map(({ path }) => path)).toEqual([at('made')]);
    const again = open();
    edit(again, at('a'), 'three');
    expect(await undo(again, root)).toEqual({ problems: [], conflicts: [] });
    expect(readFileSync(at('a'), 'utf8')).toBe('one');
  });
});

test('a content that a former version kept is read from where it kept it', () => {
  const world = worldWith();
  keepFormerVersion(world, 's1', Buffer.from('旧'));
  const entry: Entry = {
    ...{ kind: 'file', mode: 0o644, size: 3, mtime: 0, ctime: 0, ino: 0 },
    holds: `sha256:${hashOf(Buffer.from('旧'))}`,
  };
  expect(world.changes.read([entry, null]).map((bytes) => bytes?.toString())).toEqual(['旧', undefined]);
  rmSync(world.paths.versions('s1'), { recursive: true });
  expect(world.changes.read([entry])).toEqual([undefined]);
});
