import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, linkSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { canSandbox, makeWorld, users, type World } from '../../unit/tools/command/sandbox/sandbox-world.ts';

const GIT_CONFIG = '[core]\n\trepositoryformatversion = 0\n';

/** What a stranger's folder may bring: it is held as it is, or no command runs there. */
const FOLDERS: Readonly<Record<string, (world: World) => void>> = {
  'a link that leads nowhere': ({ cwd }) => symlinkSync('nowhere', join(cwd, '.envrc')),
  'a link to a key': ({ cwd, putHome }) => symlinkSync(putHome('.ssh/id'), join(cwd, '.envrc')),
  'a link out of the folder': ({ cwd, root }) => symlinkSync(join(root, 'elsewhere'), join(cwd, '.vscode')),
  'a link to itself': ({ cwd }) => symlinkSync('.envrc', join(cwd, '.envrc')),
  'two links in a circle': ({ cwd }) => {
    symlinkSync('.idea', join(cwd, '.vscode'));
    symlinkSync('.vscode', join(cwd, '.idea'));
  },
  'a link to the folder': ({ cwd }) => symlinkSync('.', join(cwd, '.claude')),
  'a link to the folder above': ({ cwd }) => symlinkSync('..', join(cwd, '.husky')),
  'a link to the root': ({ cwd }) => symlinkSync('/', join(cwd, '.cursor')),
  'a link to /proc/self': ({ cwd }) => symlinkSync('/proc/self/root', join(cwd, '.cursor')),
  'a link below .github': ({ cwd, put }) => {
    put('.github/a');
    symlinkSync('nowhere', join(cwd, '.github', 'workflows'));
  },
  '.github as a link': ({ cwd, put }) => {
    put('other/workflows/ci.yml');
    symlinkSync('other', join(cwd, '.github'));
  },
  'a dangling .github': ({ cwd }) => symlinkSync('nowhere', join(cwd, '.github')),
  '.git as a link': ({ cwd, put }) => {
    put('real/config', GIT_CONFIG);
    symlinkSync('real', join(cwd, '.git'));
  },
  '.git as a dangling link': ({ cwd }) => symlinkSync('nowhere', join(cwd, '.git')),
  '.git as a link to elsewhere': ({ cwd, root }) => symlinkSync(join(root, 'user'), join(cwd, '.git')),
  '.git as a FIFO': ({ cwd }) => void spawnSync('mkfifo', [join(cwd, '.git')]),
  'a .git/config that is a link': ({ cwd, put }) => {
    put('.git/HEAD', 'ref: refs/heads/main\n');
    put('mine', GIT_CONFIG);
    symlinkSync('../mine', join(cwd, '.git', 'config'));
  },
  'a .git/config that is a FIFO': ({ cwd, put }) => {
    put('.git/HEAD');
    spawnSync('mkfifo', [join(cwd, '.git', 'config')]);
  },
  'a .git/config with a second name': ({ cwd, put }) => linkSync(put('.git/config', GIT_CONFIG), join(cwd, 'other-name')),
  'a hook with a second name': ({ cwd, put }) => linkSync(put('.git/hooks/pre-commit'), join(cwd, 'other-name')),
  'hooks that are a link': ({ cwd, put }) => {
    put('.git/HEAD');
    put('tools/pre-commit');
    symlinkSync('../tools', join(cwd, '.git', 'hooks'));
  },
  'a hook that is a dangling link': ({ cwd, put }) => {
    put('.git/hooks/a');
    symlinkSync('../../later', join(cwd, '.git', 'hooks', 'pre-commit'));
  },
  'a workflow with a second name': ({ cwd, put }) => linkSync(put('.github/workflows/ci.yml'), join(cwd, 'other-name')),
  'instructions with a second name': ({ cwd, put }) => linkSync(put('AGENTS.md'), join(cwd, 'other-name')),
  'a FIFO': ({ cwd }) => void spawnSync('mkfifo', [join(cwd, '.envrc')]),
  'a FIFO below a folder': ({ cwd }) => {
    mkdirSync(join(cwd, '.vscode'));
    spawnSync('mkfifo', [join(cwd, '.vscode', 'tasks.json')]);
  },
  'a folder for a file': ({ cwd }) => mkdirSync(join(cwd, '.envrc')),
  'a file for a folder': ({ put }) => void put('.vscode'),
  'names with line ends': ({ put }) => {
    put('.claude/a\nb');
    put('.env\nrc');
    put('a\n--bind\n/\n/\n/.envrc');
  },
  'a name that looks like an option': ({ put }) => void put('--bind'),
  'names in other scripts': ({ put }) => {
    put('.claude/设置 一.json');
    put('AGENTS.日本.md');
  },
  'bytes that are no text': ({ cwd }) => void spawnSync('sh', ['-c', 'touch "$(printf "\\377\\376.envrc")"'], { cwd }),
  'a folder that cannot be looked into': ({ cwd, put }) => {
    put('.claude/inner/a');
    chmodSync(join(cwd, '.claude', 'inner'), 0);
  },
  'a .git that cannot be looked into': ({ cwd, put }) => {
    put('.git/config', GIT_CONFIG);
    chmodSync(join(cwd, '.git'), 0);
  },
  'a .git file that leads nowhere': ({ put }) => void put('.git', 'gitdir: /nowhere\n'),
  'a .git file that leads to itself': ({ put }) => void put('.git', 'gitdir: .git\n'),
  'a .git file that leads to the root': ({ put }) => void put('.git', 'gitdir: /\n'),
  'a .git file of a megabyte': ({ put }) => void put('.git', `gitdir: ${'x'.repeat(1_000_000)}`),
  'a nested repository as a link': ({ cwd, put }) => {
    put('sub/a');
    symlinkSync('../..', join(cwd, 'sub', '.git'));
  },
  'a nested repository': ({ put }) => {
    put('sub/.git/config', GIT_CONFIG);
    put('sub/.git/HEAD', 'ref: refs/heads/main\n');
  },
  'many nested repositories': ({ put }) => {
    for (let i = 0; i < 20; i++) put(`sub-${i}/.git/config`, GIT_CONFIG);
  },
  'a config that names its own folder': ({ put }) =>
    void put('.git/config', '[core]\n\thooksPath = .\n\tfsmonitor = ./..\n[include]\n\tpath = /\n'),
  'a config that names a link': ({ cwd, put }) => {
    put('.git/config', '[core]\n\thooksPath = hooks-of-mine\n');
    symlinkSync('nowhere', join(cwd, 'hooks-of-mine'));
  },
  'modules that are deep': ({ put }) => void put('.git/modules/a/b/c/d/e/f/g/config', GIT_CONFIG),
  'a module that is a link': ({ cwd, put }) => {
    put('.git/modules/x/HEAD');
    symlinkSync('../..', join(cwd, '.git', 'modules', 'y'));
  },
  alternates: ({ put }) => {
    put('.git/objects/info/alternates', '/nowhere\n');
    put('.git/config', GIT_CONFIG);
  },
  'very much in a folder': ({ put }) => {
    for (let i = 0; i < 4_200; i++) put(`.vscode/${i}`, '');
  },
  'a bare repository': ({ put }) => {
    for (const name of ['HEAD', 'config', 'objects/a', 'refs/b', 'hooks/update']) put(name);
  },
  'a link in a folder to a file of the folder': ({ cwd, put }) => {
    put('prompts/one.md');
    mkdirSync(join(cwd, '.claude'));
    symlinkSync('../prompts', join(cwd, '.claude', 'commands'));
  },
  'instructions that are a link to others': ({ cwd, put }) => {
    put('AGENTS.md');
    symlinkSync('AGENTS.md', join(cwd, 'CLAUDE.md'));
  },
};

/** What a home may bring: it is no reason to run without the sandbox, or to see what is hidden. */
const HOMES: Readonly<Record<string, (world: World) => void>> = {
  'keys behind a link, as those who keep their dotfiles have it': ({ userHome, putHome }) => {
    putHome('dotfiles/aws/credentials');
    symlinkSync('dotfiles/aws', join(userHome, '.aws'));
  },
  'a dangling link': ({ userHome }) => symlinkSync('nowhere', join(userHome, '.cargo')),
  'a link to the home': ({ userHome, putHome }) => {
    putHome('.ssh/id');
    symlinkSync('.', join(userHome, '.nvm'));
  },
  'a link to the folder above': ({ userHome, putHome }) => {
    putHome('.ssh/id');
    symlinkSync('..', join(userHome, 'go'));
  },
  'a link to SanBot’s home': ({ userHome, putHome }) => {
    putHome('.sanbot/config.json');
    symlinkSync('.sanbot', join(userHome, '.pyenv'));
  },
  'a circle': ({ userHome }) => {
    symlinkSync('.cargo', join(userHome, '.rustup'));
    symlinkSync('.rustup', join(userHome, '.cargo'));
  },
  'a FIFO for git’s settings': ({ userHome }) => void spawnSync('mkfifo', [join(userHome, '.gitconfig')]),
  'git’s settings as a folder': ({ putHome }) => void putHome('.gitconfig/a'),
  'git’s settings that name a key': ({ putHome }) => {
    putHome('.ssh/id');
    putHome('.gitconfig', '[include]\n\tpath = ~/.ssh/id\n[core]\n\texcludesFile = ~/.ssh/id\n\thooksPath = ~/.ssh\n');
  },
  'git’s settings that name themselves': ({ putHome }) => void putHome('.gitconfig', '[include]\n\tpath = ~/.gitconfig\n'),
  'git’s settings that name the home': ({ putHome }) => {
    putHome('.ssh/id');
    putHome('.gitconfig', '[core]\n\thooksPath = ~/\n[include]\n\tpath = ~/.\n');
  },
  'a cache that is a link': ({ userHome, putHome }) => {
    putHome('elsewhere/a');
    symlinkSync('elsewhere', join(userHome, '.cache'));
  },
  'a file where tools have a folder': ({ putHome }) => void putHome('.cargo', 'a secret'),
  'very many entries': ({ putHome }) => {
    for (let i = 0; i < 300; i++) putHome(`.tool-${i}/token`, 'a secret');
  },
  'credentials behind a link': ({ userHome, putHome }) => {
    putHome('dotfiles/token');
    putHome('.cargo/bin/a', '');
    symlinkSync('../dotfiles/token', join(userHome, '.cargo', 'credentials.toml'));
  },
};

/** Each file below a folder by its path, with its text; those whose names are no text are left out. */
const allIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true, encoding: 'utf8' })
    .map((entry) => ({ path: join(entry.parentPath, entry.name), isFile: entry.isFile() }))
    .filter(({ path, isFile }) => isFile && existsSync(path))
    .map(({ path }) => `${path}: ${readFileSync(path, 'utf8').slice(0, 100)}`);

const RUNNING_LATER = /\/\.(?:envrc|vscode|idea|claude|cursor|husky|github\/workflows)|\/\.git\/(?:config|hooks)|\/(?:AGENTS|CLAUDE)\.md/;
/** Tries to change all that is there, by every name that it has, and to put something else in its place. */
const ATTACK = `for f in $(find . -type f -not -name '*
*' 2>/dev/null | head -200); do echo evil > "$f"; echo evil > "$f.new" && mv -f "$f.new" "$f"; done
for f in .git/config .envrc CLAUDE.md AGENTS.md; do [ -L "$f" ] || { rm -f "$f"; mv "$f" "$f.old"; }; done; for d in .git .github .claude; do mv "$d" "$d.old"; done
cat other-name; grep -rs "a secret" "$HOME" . && echo SECRET; true`;

describe.skipIf(!canSandbox)('the sandbox in hostile places (skipped where bubblewrap does not work)', () => {
  test.each(users.flatMap((user) => Object.keys(FOLDERS).map((name) => ({ user, name }))))(
    'is not switched off by a folder with $name: what is there is held, or a person is asked [$user]',
    ({ user, name }) => {
      const world = makeWorld({ user });
      FOLDERS[name]?.(world);
      const isMeant = (each: string): boolean => RUNNING_LATER.test(each.slice(world.cwd.length));
      const refused = world.refusal();
      if (refused !== undefined) return expect(refused).toMatch(/link|hard link|neither a file|looked into|too much/);
      const before = allIn(world.cwd).filter(isMeant);
      const { out } = world.run(ATTACK);
      expect(allIn(world.cwd).filter((each) => isMeant(each))).toEqual(expect.arrayContaining([...before]));
      expect(out).not.toContain('SECRET');
    },
  );

  test.each(users.flatMap((user) => Object.keys(HOMES).map((name) => ({ user, name }))))(
    'is not switched off by a home with $name, and shows nothing hidden [$user]',
    ({ user, name }) => {
      const world = makeWorld({ user });
      HOMES[name]?.(world);
      world.putHome('plain/letter', 'a secret');
      expect(world.refusal()).toBeUndefined();
      expect(world.run(`grep -rs "a secret" ${world.userHome} ; echo ran`).out).toBe('ran\n');
    },
  );
});
