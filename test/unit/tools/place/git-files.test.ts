import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { gitMayWrite } from '../../../../src/tools/place/git-files.ts';
import { afterThisTest } from '../../../support/clean-up.ts';

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/** Those that git obeys, or that lead it to something else: none of them is its data. */
const OBEYED = words(`
  config config.lock config.worktree config.worktree.lock commondir gitdir hooks hooks/pre-commit hooks/x/y info/attributes info/exclude
  info/grafts info/sparse-checkout objects/.envrc objects/ab/.envrc objects/.vscode/tasks.json objects/info/alternates objects/info/http-alternates branches/x remotes/origin description
  fsmonitor--daemon.ipc Config HEAD/x indexes index.php .lock .git x packed-refs/x gitweb.conf`);

/** What it writes in the course of its work. */
const WRITTEN = words(`
  HEAD HEAD.lock ORIG_HEAD FETCH_HEAD MERGE_HEAD MERGE_MODE MERGE_MSG MERGE_RR MERGE_RR.lock MERGE_AUTOSTASH CHERRY_PICK_HEAD REVERT_HEAD
  REBASE_HEAD AUTO_MERGE SQUASH_MSG COMMIT_EDITMSG TAG_EDITMSG NOTES_EDITMSG NOTES_MERGE_REF BISECT_LOG BISECT_START BISECT_EXPECTED_REV
  BISECT_ANCESTORS_OK index index.lock sharedindex_7aXbQ2 sharedindex.0123456789abcdef next-index-12.lock packed-refs packed-refs.lock
  packed-refs.new shallow shallow.lock shallow_a1B2c3 gc.pid gc.pid.lock gc.log logs/HEAD logs/refs/heads/x refs/heads/a/config
  refs/heads/x.lock refs/stash refs/remotes/origin/HEAD objects/ab/0123 objects/pack/pack-1.pack objects/pack/tmp_pack_x objects/pack/.tmp-1-pack-a.pack objects/tmp_objdir-x/ab/1
  objects/info objects/info/packs objects/info/commit-graph objects/info/commit-graphs/graph-1.graph info/refs info/refs_a1B2c3
  rebase-merge/done rebase-apply/0001 rebased-patches sequencer/todo rr-cache/a/preimage`);

test.each(OBEYED)('git may not write %s, in a linked worktree or a submodule neither', (path) => {
  for (const folder of [
    '',
    'worktrees/one/',
    'modules/one/',
    'modules/libs/one/',
    'modules/one/modules/two/',
    'worktrees/one/modules/two/',
  ])
    expect([folder, gitMayWrite(`${folder}${path}`)]).toEqual([folder, false]);
});

test.each(WRITTEN)('git may write %s, in a linked worktree and a submodule too', (path) => {
  expect(gitMayWrite(path)).toBe(true);
  expect(gitMayWrite(`worktrees/one/${path}`)).toBe(true);
  // The name of a branch in a submodule could also be that of a submodule.
  if (!path.endsWith('/config')) expect(gitMayWrite(`modules/libs/one/${path}`)).toBe(true);
});

test('a folder of a submodule that is named like a part of git leads to no configuration', () => {
  for (const path of words('modules/refs/config modules/a/refs/b/config modules/objects/hooks/update modules/logs/info/attributes'))
    expect([path, gitMayWrite(path)]).toEqual([path, false]);
});

test('all that git leaves in the middle of its work is its own', () => {
  const folder = mkdtempSync(join(tmpdir(), 'git-files-'));
  afterThisTest(() => rmSync(folder, { recursive: true, force: true }));
  const git = (line: string) =>
    spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...line.split(' ')], {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: folder, GIT_EDITOR: 'true' },
    });
  git('init -q -b main --template=');
  const before = new Set(readdirSync(join(folder, '.git')));
  const commit = (text: string): void => {
    writeFileSync(join(folder, 'a'), text);
    git('add a');
    git(`commit -m ${text}`);
  };
  const left = new Set<string>();
  const look = (): void => {
    for (const name of readdirSync(join(folder, '.git'), { recursive: true, encoding: 'utf8' })) left.add(name);
  };
  commit('one');
  git('switch -c other');
  commit('two');
  git('switch main');
  commit('three');
  for (const work of ['merge other', 'rebase other', 'rebase --apply other', 'cherry-pick other', 'revert main~1']) {
    git(work);
    look();
    git(`${work.split(' ')[0]} --abort`);
  }
  writeFileSync(join(folder, 'a'), 'four');
  for (const work of [
    'stash',
    'tag -am x x',
    'bisect start main other',
    'gc',
    'commit-graph write --reachable',
    'update-index --split-index',
  ]) {
    git(work);
    look();
  }
  expect([...left]).toContain('rebase-merge/git-rebase-todo');
  expect([...left].filter((name) => !before.has(name.split('/')[0] ?? '') && !gitMayWrite(name))).toEqual([]);
});
