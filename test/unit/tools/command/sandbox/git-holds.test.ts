import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { outerGitFolders } from '../../../../../src/tools/command/sandbox/git-holds.ts';
import { sampleOf } from '../../../../support/runs.ts';
import { canSandbox, makeWorld, users, type World } from './sandbox-world.ts';

const commit = ({ git, put, cwd }: Pick<World, 'git' | 'put' | 'cwd'>): void => {
  git('init -q -b main', cwd);
  put('a.txt', 'one\n');
  git('add -A', cwd);
  git('commit -qm one', cwd);
};

/** With a submodule, a linked worktree, a nested repository, and files that its configuration names. */
function makeRepository(user: (typeof users)[number]): World {
  const world = makeWorld({ user });
  const { git, put, root } = world;
  git(`init -q -b main ${join(root, 'upstream')}`, root);
  git('commit -q --allow-empty -m one', join(root, 'upstream'));
  commit(world);
  git(`submodule add ${join(root, 'upstream')} libs/sub`);
  git(`worktree add -q ${join(root, 'linked')}`);
  git('init -q nested');
  git('config core.fsmonitor tools/monitor.sh');
  git('config include.path ../more.inc');
  git('config diff.x.textconv scripts/text');
  for (const name of [
    'tools/monitor.sh',
    'more.inc',
    'scripts/text',
    '.git/info/attributes',
    '.git/hooks/pre-commit',
    '.git/objects/info/alternates',
  ])
    put(name, '');
  put('.git/worktrees/linked/config.worktree', '');
  return world;
}

/** What git obeys there. */
const OBEYED: readonly string[] = `
  .git/config .git/hooks/pre-commit .git/info/attributes .git/info/exclude .git/description .git/objects/info/alternates .git/worktrees/linked/commondir
  .git/worktrees/linked/gitdir .git/worktrees/linked/config.worktree .git/modules/libs/sub/config .git/modules/libs/sub/hooks/update.sample
  .git/modules/libs/sub/info/exclude libs/sub/.git nested/.git/config nested/.git/hooks/update.sample .gitmodules tools/monitor.sh more.inc scripts/text`
  .trim()
  .split(/\s+/);

describe.skipIf(!canSandbox)('a repository in the sandbox (skipped where bubblewrap does not work)', () => {
  test.each(sampleOf(users))('what git obeys is held, in submodules, linked worktrees and nested repositories too [%s]', (user) => {
    const world = makeRepository(user);
    const texts = () => OBEYED.map((name) => [name, readFileSync(join(world.cwd, name), 'utf8')]);
    const before = texts();
    const folders =
      '.git .git/info .git/objects/info .git/modules/libs/sub .git/worktrees/linked libs/sub nested nested/.git tools scripts .git/hooks';
    world.run(
      `for f in ${OBEYED.join(' ')}; do echo evil > $f; echo evil > $f.new; mv -f $f.new $f; rm -f $f; done; for d in ${folders}; do mv $d $d.away; rm -rf $d; done`,
    );
    expect(texts()).toEqual(before);
    for (const line of [
      'git config core.fsmonitor evil',
      'git remote add x y',
      'git -C nested config core.pager evil',
      'git -C libs/sub config a.b c',
    ])
      expect([line, world.run(line).code]).not.toEqual([line, 0]);
  });

  test.each(sampleOf(users))('git does its work: it commits, merges, rebases, stashes, collects garbage and fetches [%s]', (user) => {
    const world = makeWorld({ user });
    commit(world);
    world.git('switch -qc other');
    world.put('b.txt', 'two\n');
    world.git('add -A');
    world.git('commit -qm two');
    world.git('switch -q main');
    for (const line of [
      'echo three >> a.txt && git commit -qam three && git tag -am x v1',
      'git merge -q --no-edit other && git reset -q --hard HEAD~1',
      'git switch -q other && git rebase -q main && git switch -q main',
      'git cherry-pick other >/dev/null && git revert --no-edit HEAD >/dev/null',
      'echo four >> a.txt && git stash -q && git stash pop -q && git checkout -q a.txt',
      'git bisect start -q HEAD HEAD~1 >/dev/null; git bisect reset >/dev/null 2>&1',
      'git gc -q && git repack -adq && git pack-refs --all && git commit-graph write --reachable && git fsck',
      'git clone -q . ../x 2>/dev/null; git fetch -q . other:again && git log --oneline again >/dev/null',
    ]) {
      const ran = world.run(line);
      expect([line, ran.code, ran.err]).toEqual([line, 0, ran.err]);
      expect([line, ran.err]).toEqual([line, expect.not.stringMatching(/error|fatal|Read-only/)]);
    }
    const { code, out, err } = world.run('git status --short && git fsck --no-dangling');
    expect([code, out, err]).toEqual([0, '', err]);
  });

  test('a linked worktree, a submodule and a folder below the top commit where that was allowed, and nowhere else', () => {
    const world = makeRepository('self');
    const linked = join(world.root, 'linked');
    world.put('deep/folder/a');
    const places = [linked, join(world.cwd, 'libs', 'sub'), join(world.cwd, 'deep', 'folder')];
    const line = 'echo new > new.txt && git add new.txt && git commit -qm new';
    for (const cwd of places) {
      expect(outerGitFolders(cwd).length).toBeGreaterThan(0);
      expect([cwd, world.run(line, { cwd }).code]).not.toEqual([cwd, 0]);
      const allowed = world.run(line, { cwd }, { repository: true });
      expect([cwd, allowed.code, allowed.err]).toEqual([cwd, 0, allowed.err]);
      const refused = world.run('git config core.fsmonitor evil', { cwd }, { repository: true });
      expect([cwd, refused.code]).not.toEqual([cwd, 0]);
    }
    expect(outerGitFolders(world.cwd)).toEqual([]);
    // One of many, which are not looked at one by one.
    for (const name of ['l1', 'l2', 'l3', 'l4', 'l5']) world.git(`worktree add -q ../${name}`);
    expect(world.run(line, { cwd: join(world.root, 'l5') }, { repository: true })).toMatchObject({ code: 0 });
    // A file that leads to another repository than its own.
    world.put('stranger/.git', `gitdir: ${join(world.cwd, '.git')}\n`);
    expect(outerGitFolders(join(world.cwd, 'stranger'))).toEqual([]);
    // One that leads back, and from there to a repository that knows nothing of it.
    world.put('led/.git', `gitdir: ${join(world.root, 'data')}\n`);
    for (const [name, text] of [
      ['gitdir', join(world.cwd, 'led', '.git')],
      ['commondir', join(world.cwd, '.git')],
      ['HEAD', 'ref: refs/heads/main'],
    ] as const)
      world.put(`../data/${name}`, `${text}\n`);
    expect(outerGitFolders(join(world.cwd, 'led'))).toEqual([join(world.root, 'data')]);
    expect(existsSync(join(linked, 'new.txt'))).toBe(true);
  });
});
