import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { decidePermission, type PermissionRules, provesReading } from '../../../../../src/agent/turn/permission.ts';
import { rulesAbout, ruleTouches } from '../../../../../src/context/permission/rules.ts';
import { viewedCommand } from '../../../../../src/context/permission/viewed-command.ts';
import type { PermissionRule } from '../../../../../src/domain/config/permission-rule.ts';
import { probeSandbox } from '../../../../../src/tools/command/sandbox/sandbox.ts';
import { collectedCases, generatedCases } from '../../../../support/bypass-cases.ts';
import { sampleOf } from '../../../../support/runs.ts';
import { createWorld, type TestWorld } from '../../world.ts';

const probe = await probeSandbox({ env: process.env, platform: process.platform, cwd: '/nowhere' });

/** A folder with a repository of one commit. */
function makeWorld(deny: readonly PermissionRule[] = [], env?: Readonly<Record<string, string>>): TestWorld {
  const world = createWorld({
    ...(env && { env }),
    ...(probe.kind === 'works' && { sandbox: async () => probe.sandbox }),
    pathRules: () => ({
      deny: [...deny],
      ask: [],
      about: rulesAbout,
      viewed: viewedCommand,
      touches: (rule, command, cwd) => ruleTouches(rule, { tool: 'run_command', paths: [], cwd, command }),
    }),
  });
  world.put('src/cart.js', 'export const total = 0;\n');
  git(world, 'init -q -b main', 'add -A', 'commit -qm first');
  return world;
}

function git(world: TestWorld, ...lines: readonly string[]): void {
  for (const line of lines) {
    const args = ['-c', 'user.name=a', '-c', 'user.email=a@b', ...line.split(' ')];
    const { status, stderr } = spawnSync('git', args, {
      cwd: world.cwd,
      encoding: 'utf8',
      env: { PATH: process.env.PATH, HOME: world.root },
    });
    if (status !== 0) throw new Error(`git ${line}: ${stderr}`);
  }
}

async function decisionOf(world: TestWorld, command: string, settings: Partial<PermissionRules['settings']> = {}) {
  const plan = await world.ready('run_command', { command });
  const rules: PermissionRules['settings'] = {
    deny: [],
    ask: [],
    allow: [],
    readOnlyCommands: 'ask',
    sandboxedCommands: 'ask',
    ...settings,
  };
  const onlyReads = await provesReading(plan, rules);
  return decidePermission('run_command', plan, {
    ...{ mode: 'ask', allowed: new Set(), grants: new Set(), trustsFolder: true },
    onlyReads,
    settings: rules,
  }).kind;
}

/** Those of the commands that ask. */
async function asking(world: TestWorld, commands: readonly string[]): Promise<readonly string[]> {
  const asked: string[] = [];
  for (const command of commands) if ((await decisionOf(world, command)) !== 'allow') asked.push(command);
  return asked;
}

const LOOKS = [
  ...[
    'git status',
    'git status --short && echo "---" && git log --oneline -3',
    'git diff HEAD --stat',
    'git show HEAD',
    'git -C src log -p',
  ],
  ...['git branch -a', 'git blame src/cart.js', 'git rev-parse --abbrev-ref HEAD', 'git --no-pager diff main...HEAD --name-only | head -5'],
  ...[
    'grep -rn total src',
    'grep -rn --include="*.js" total | wc -l',
    'rg -n total',
    'rg --files src',
    'cd src && grep -r total .',
    'node --version',
  ],
  ...[
    'grep -n total src/*.js',
    'ls -d s*/',
    'cd src && head -n 1 *.js',
    'cat src/{cart,cart}.js',
    "find . -name '*.js' -type f -exec grep -l total {} \\;",
    'find src -type f -exec wc -l {} +',
    `awk '/export/,/;/{print NR": "$0}' src/cart.js | head -4`,
    "awk -F= 'NR >= 1 || NR > 7 {print $2}' src/cart.js",
  ],
];

describe.skipIf(probe.kind !== 'works')('in a read-only view of the sandbox', () => {
  test('what only reads runs unasked, and does what it says', async () => {
    const world = makeWorld();
    expect(await asking(world, LOOKS)).toEqual([]);
    for (const command of LOOKS.filter((each) => !each.startsWith('rg')))
      expect([command, await world.call('run_command', { command })]).toEqual([command, expect.objectContaining({ ok: true })]);
  });

  test('a pattern asks where a name that it stands for is an option, a link outwards or a file of secrets, or where that cannot be told', async () => {
    const world = makeWorld();
    const looks = [
      'cat keys/*',
      'cat links/*',
      'cat *',
      'cat src/*',
      'cat src/[c]art.js',
      'cat src/car?.js',
      'cat ~/x*',
      'cd s*; cat *',
      'cat *$x',
    ];
    world.put('keys/server.pem', 'k\n');
    world.put('links/a', 'a\n');
    expect(await asking(world, looks)).toEqual(looks.filter((each) => !/ (?:links|src)\/\*$| \*$/.test(each) || each.startsWith('cd')));
    symlinkSync('/etc/passwd', join(world.cwd, 'links', 'out'));
    world.put('-n', '');
    expect(await asking(world, looks)).toEqual(looks.filter((each) => each !== 'cat src/*'));
  });

  test.skipIf(spawnSync('jq', ['--version']).status !== 0)('jq of a file runs unasked', async () => {
    const world = makeWorld();
    world.put('a.json', '{"a":[1]}');
    const looks = ["jq -r '.a[0]' a.json", 'cat a.json | jq .a'];
    expect(await asking(world, [...looks, `jq -n 'import "a" as $a; $a'`, 'jq -f a.json', 'jq . /etc/x.json'])).toEqual([
      ...[`jq -n 'import "a" as $a; $a'`, 'jq -f a.json', 'jq . /etc/x.json'],
    ]);
    for (const command of looks) expect(await world.call('run_command', { command })).toMatchObject({ ok: true });
  });

  test('what writes, or reads what is not free, asks', async () => {
    const world = makeWorld();
    world.put('.env', 'KEY=1\n');
    const asks = [
      ...[
        'git commit -m x',
        'git branch x',
        'git diff --output=x',
        'git diff --outp=x',
        'git log -O./x',
        'git -c core.pager=x log',
        'git diff --no-index /etc/passwd src',
      ],
      ...[
        'git show HEAD:.env',
        'git diff -- .env',
        'git -C .. status',
        'git -C /etc log',
        'git grep -Oless x',
        'git reflog expire --all',
        'git remote show origin',
      ],
      ...[
        'git stash list --output=x',
        'grep -rn KEY .env',
        'grep -r x /etc',
        'grep -Rn x .',
        'rg --files /etc',
        'rg --pre ./x y',
        'cd .. && ls',
        'true || cd src; cat x',
      ],
      ...[
        'find . -exec grep x {} +',
        'find . -type f -o -type l -exec grep x {} +',
        'find . ! -type f -exec grep x {} +',
        'find . -type f -exec rm {} +',
        'find . -type f -exec cat {} /etc/passwd +',
        'find . -type f -exec sh -c {} +',
        'find . -type f -exec grep x {} + -delete',
        'find /etc -type f -exec grep x {} +',
        `awk '{print > "x"}' src/cart.js`,
        `awk '"}" {print > "x"}' src/cart.js`,
        `awk '{print | "cat"}' src/cart.js`,
        `awk '{while ((getline a < "/etc/passwd") > 0) print a}' src/cart.js`,
        `awk 'BEGIN {system("id")}'`,
        `awk 'BEGIN {sys\\\ntem("id")}'`,
        `awk 'BEGIN {ARGV[1] = "/etc/passwd"; ARGC = 2} {print}'`,
        `awk '@include "x"; {print}' src/cart.js`,
        'awk -f x src/cart.js',
        "awk '{print}' a=b src/cart.js",
        "awk '{print}' /etc/passwd",
      ],
      ...[
        'cd missing; cat x',
        'node -e 1',
        'npm test',
        './git status',
        'git status & touch x',
        'git log $(touch x)',
        'echo x > y',
        'LC_ALL=C git status',
      ],
    ];
    expect(await asking(world, asks)).toEqual(asks);
  });

  test.each([
    ['collected', collectedCases ?? []],
    ['generated', sampleOf(generatedCases())],
  ] as const)('none of the %s commands that only look harmless runs unasked [S-09]', async (_, cases) => {
    const world = makeWorld();
    world.put('f', 'a\n');
    const commands = cases.map(({ command }) => command.replaceAll('$M', join(world.root, 'marker')).replaceAll('$D', world.cwd));
    expect(await asking(world, commands)).toEqual(commands);
  });

  test('nothing is written, in the folder or its repository, and no program of the folder runs', async () => {
    const world = makeWorld();
    const plan = await world.ready('run_command', { command: 'git status' });
    // What the look before did not see: the repository is another one by then.
    world.put('.git/config', `[core]\n\tfsmonitor = "touch ${join(world.cwd, 'ran')}"\n[diff "x"]\n\ttextconv = touch ran\n`);
    expect(await plan.run(new AbortController().signal)).toMatchObject({ ok: false, content: expect.stringContaining('not started') });
    expect(await decisionOf(world, 'git status')).toBe('ask');
    expect(existsSync(join(world.cwd, 'ran'))).toBe(false);
  });

  test.each([
    ['a program in its configuration', '.git/config', '[core]\n\trepositoryformatversion = 0\n\tfsmonitor = ./x\n'],
    ['a filter', '.git/config', '[core]\n\trepositoryformatversion = 0\n[filter "x"]\n\tclean = ./x\n'],
    ['a text converter', '.git/config', '[diff "x"]\n\ttextconv = ./x\n'],
    ['another work tree', '.git/config', '[core]\n\tworktree = /\n'],
    ['another configuration', '.git/config', '[include]\n\tpath = ../evil\n'],
    ['another shared folder', '.git/commondir', '../evil\n'],
    ['no state', '.git/HEAD', 'x\n'],
    ['a repository in place of the folder', 'HEAD', 'ref: refs/heads/main\n'],
  ])('git asks in a repository with %s', async (_, path, text) => {
    const world = makeWorld();
    world.put(path, text);
    for (const name of ['objects/x', 'refs/x']) if (path === 'HEAD') world.put(name, '');
    expect(await asking(world, ['git status', 'grep -r x src'])).toEqual(['git status']);
  });

  test('git asks where another repository lies in this one, and where this one lies above', async () => {
    const world = makeWorld();
    spawnSync('git', ['init', '-q', join(world.cwd, 'sub')]);
    spawnSync('sh', ['-c', 'cd sub && git -c user.name=a -c user.email=a@b commit -q --allow-empty -m x'], { cwd: world.cwd });
    git(world, 'add sub');
    expect(await asking(world, ['git status', 'git diff', 'git log'])).toEqual(['git status', 'git diff', 'git log']);
  });

  test('files that hold secrets are not shown, also by git, nor what a rule denies', async () => {
    const world = makeWorld([{ tool: 'read_file', path: 'private/**' }]);
    world.put('src/.env', 'TOTAL=geheim\n');
    world.put('private/a.txt', 'total geheim\n');
    expect((await world.call('run_command', { command: 'grep -rni total src private' })).content).not.toContain('geheim');
    expect(await asking(world, ['git diff', 'git show HEAD', 'git status'])).toEqual(['git diff', 'git show HEAD']);

    const tracked = makeWorld();
    tracked.put('.env', 'TOTAL=geheim\n');
    tracked.put('.env.example', 'TOTAL=offen\n');
    git(tracked, 'add -A', 'commit -qm second');
    tracked.put('.env', 'TOTAL=geheimer\n');
    const shown = [];
    for (const command of ['git diff', 'git log -p', 'git show', 'git grep TOTAL'])
      shown.push((await tracked.call('run_command', { command })).content);
    expect(shown.join('\n')).not.toContain('geheim');
    expect(shown.join('\n')).toContain('offen');
    const id = spawnSync('git', ['rev-parse', 'HEAD:.env'], { cwd: tracked.cwd, encoding: 'utf8' }).stdout.trim();
    expect(await asking(tracked, ['git status', `git show ${id}`])).toEqual([`git show ${id}`]);
  });

  test('words that are read in another way by the program, or in another order by the shell, ask', async () => {
    const world = makeWorld();
    for (const path of ['b/id_rsa', '.env']) world.put(path, 'KEY=geheim\n');
    world.put('b-c/x', '');
    for (const command of ['grep -r --max-count 1 KEY', "grep -r --include '*' KEY"])
      expect((await world.call('run_command', { command })).content).not.toContain('geheim');
    for (const path of ['passwd', 'e/f/x', 'e/g/f', 'e/h/f']) world.put(path, '');
    mkdirSync(Buffer.from(`${world.cwd}/e/f\xff`, 'latin1'));
    symlinkSync('/etc/passwd', Buffer.from(`${world.cwd}/e/f\xff/x`, 'latin1'));
    symlinkSync('/etc/ssl', join(world.cwd, 'e', 'link'));
    symlinkSync('/etc/passwd', join(world.cwd, 'e', 'g', 'e'));
    const asks = [
      `awk -F -F 'BEGIN{system("id")}' '{print}'`,
      `awk -F {,x} 'BEGIN{system("id")}'`,
      "awk '{ # }\n print > $1; # {\n}' src/cart.js",
      'awk */*',
      'jq */*',
      'jq -n env',
      `jq -n '$ENV.HOME'`,
      'strings @x',
      'strings -n 3 {@x,src}',
      'strings @*',
      'find @x -type f -exec strings {} +',
      'cat e/link/../passwd',
      'cd e && cat link/../passwd',
      'cat e/l*/../passwd',
      'cat e/link/../pass*',
      'cat e/f*/x',
      'grep -v */*',
      'ls .*',
      'cat .*/x',
      'grep -r -m {,1} KEY',
      'diff e/g e/h',
      'diff e/g/f e/h',
    ];
    expect(await asking(world, asks)).toEqual(asks);
  });

  test('a program asks that a version manager chooses by files of the folder', async () => {
    const shims = join(makeWorld().root, 'shims');
    mkdirSync(shims);
    symlinkSync(process.execPath, join(shims, 'node'));
    const world = makeWorld([], { PATH: `${shims}:${process.env.PATH}` });
    expect(await asking(world, ['node --version', 'bash --version'])).toEqual(['node --version']);
  });

  test('secrets are covered under names that are no UTF-8, and behind a link to a folder and up again', async () => {
    const world = makeWorld();
    world.put('b/.env', 'KEY=geheim\n');
    mkdirSync(join(world.cwd, 'b', 'deep'));
    symlinkSync('../b/deep', join(world.cwd, 'src', 'deep'));
    expect(await asking(world, ['grep -r KEY src/deep/..', 'grep -r KEY src/..'])).toEqual(['grep -r KEY src/deep/..']);
    spawnSync('git', ['init', '-q', join(world.cwd, 'b')]);
    world.put('b/.git/config', '[diff]\n\texternal = ./x\n');
    const gits = ['git -C src/deep/.. diff', 'cd src/deep && git -C .. diff'];
    expect(await asking(world, gits)).toEqual(gits);
    mkdirSync(Buffer.from(`${world.cwd}/bytes\xff`, 'latin1'));
    expect(await asking(world, ['grep -r x src', 'grep -r KEY .'])).toEqual(['grep -r KEY .']);
  });

  test('git asks where it would show an object without its name, or what its folder leads to', async () => {
    const world = makeWorld();
    world.put('id_rsa', 'geheim\n');
    git(world, 'add -A', 'commit -qm second');
    const id = spawnSync('git', ['rev-parse', 'HEAD:id_rsa'], { cwd: world.cwd, encoding: 'utf8' }).stdout.trim();
    const asks = [
      ...['git show :0:id_rsa', 'git show HEAD@{12:00}:id_rsa', `git show ${id.toUpperCase()}`, `git show x-1-g${id}`],
      ...[`git diff ${id} HEAD:src/cart.js`, `git diff ${id}..${id}`, `git grep -n . ${id}`, `git show ${id}^{blob}`, 'git show * --'],
    ];
    expect(await asking(world, [...asks, 'git diff'])).toEqual(asks);
    world.put('keys/id_rsa', 'geheim\n');
    git(world, 'add -A', 'commit -qm third');
    expect(await asking(world, ['git diff'])).toEqual([]);
    world.put('keys/.gitattributes', 'id_* diff\n');
    expect(await asking(world, ['git diff', 'git status'])).toEqual(['git diff']);
    for (const path of ['packed-refs', 'shallow', 'rebase-merge/git-rebase-todo', 'objects/info/alternates']) {
      const plain = makeWorld();
      plain.put('.env', 'KEY=geheim\n');
      mkdirSync(dirname(join(plain.cwd, '.git', path)), { recursive: true });
      symlinkSync(join(plain.cwd, '.env'), join(plain.cwd, '.git', path));
      expect([path, await asking(plain, ['git status'])]).toEqual([path, ['git status']]);
    }
    world.put('.git/objects/info/alternates', '/srv/other/.git/objects\n');
    expect(await asking(world, ['git log'])).toEqual(['git log']);
  });

  test('deny and ask rules for commands hold', async () => {
    const world = makeWorld();
    expect(await decisionOf(world, 'git log', { deny: [{ tool: 'run_command', prefix: 'git' }] })).toBe('deny');
    expect(await decisionOf(world, 'git log', { ask: [{ tool: 'run_command', prefix: 'git log' }] })).toBe('ask');
  });
});
