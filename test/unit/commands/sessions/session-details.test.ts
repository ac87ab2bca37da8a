import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sessionDetails } from '../../../../src/commands/sessions/session-text.ts';
import { run } from '../../../support/destructive.ts';
import { changeLimits } from '../../../support/kept-changes.ts';
import { headerOf, newFolder, said, storeOf } from '../../store/files/world.ts';

test('the files of a session are those that its log of before names, and those that commands and tools changed since', async () => {
  const world = storeOf({ now: () => new Date() });
  const { store, disk, paths } = world;
  const { log } = store.sessions.create(headerOf('s1'));
  log.append(said('hello'));
  const version = (kept: boolean) => ({ fingerprint: 'a'.repeat(64), bytes: 3, kept });
  const root = join(realpathSync(newFolder()), '工作');
  mkdirSync(root);
  const at = (name: string) => join(root, name);
  writeFileSync(at('a'), 'one');
  writeFileSync(at('b'), 'two');
  log.append({ type: 'file', path: at('a'), tool: 'edit_file', before: version(false), after: version(true) });
  log.close();
  expect(sessionDetails({ disk, paths, store }, 's1').files).toEqual([{ path: at('a'), changes: 1, kept: false }]);

  const changes = await store.changes('s1', {
    gitConfigs: [],
    searchPath: process.env.PATH ?? '',
    notBeyond: ['/dev/shm', '/tmp'],
    limits: changeLimits,
  });
  const by = (title: string) => ({ id: title, title, record: 2 });
  const content = (text: string) => ({ fingerprint: 'b'.repeat(64), bytes: text.length, content: Buffer.from(text) });
  changes.edit({ path: at('a'), before: content('one'), after: content('1') }, by('edit_file a'));
  const running = changes.begin(root, by('rm'));
  run(root, 'rm b; echo 2 > a; mkdir d');
  running.end();
  changes.close();
  expect(sessionDetails({ disk, paths, store }, 's1').files).toEqual([
    { path: at('a'), changes: 3, kept: false },
    { path: at('b'), changes: 1, kept: true },
  ]);
});
