import { createHash } from 'node:crypto';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { run } from '../../../support/destructive.ts';
import { treeOf } from '../../../support/folder-facts.ts';
import { gitIn } from '../../../support/repositories.ts';
import { sampleOf } from '../../../support/runs.ts';
import { actsIn, pathsOf, workFolders } from './world.ts';

/** More files than are read one by one, so that the index of the repository is asked. */
const FILES = 120;
const CANARY = 'canary-of-another-folder';

type Place = { readonly root: string; readonly outside: string };

/** A repository with many clean files, and one outside with other ones. */
function place(): Place {
  const { root, outside } = workFolders();
  for (const [folder, text] of [
    [root, 'file'],
    [outside, CANARY],
  ] as const) {
    for (let i = 0; i < FILES; i++) writeFileSync(join(folder, `f${i}.txt`), `${text} ${i}\n`);
    // Older than the index, so that nothing is in doubt.
    for (const name of readdirSync(folder)) utimesSync(join(folder, name), 1e9, 1e9);
    const git = gitIn(folder);
    git('init', '-q');
    git('add', '-A');
    git('commit', '-qm', 'all');
  }
  return { root, outside };
}

function trapIn({ root, outside }: Place): string {
  const trap = join(root, 'trap.sh');
  writeFileSync(trap, `#!/bin/sh\necho ran >> ${outside}/ran\nexec cat\n`, { mode: 0o755 });
  return trap;
}

const pipeAt = (path: string): void => {
  rmSync(path, { force: true });
  mkdirSync(dirname(path), { recursive: true });
  run('/', `mkfifo '${path}'`);
};

const linkAt = (path: string, to: string): void => {
  rmSync(path, { force: true, recursive: true });
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(to, path);
};

/** Writes an index again with other bytes in it, sealed as git does. */
function forgeIndex(path: string, forge: (bytes: Buffer) => void): void {
  const bytes = readFileSync(path);
  forge(bytes);
  createHash('sha1')
    .update(bytes.subarray(0, -20))
    .digest()
    .copy(bytes, bytes.length - 20);
  writeFileSync(path, bytes);
}

const packIn = (root: string): string => {
  gitIn(root)('gc', '-q');
  const folder = join(root, '.git/objects/pack');
  const path = join(folder, readdirSync(folder).find((name) => name.endsWith('.pack')) ?? '');
  chmodSync(path, 0o600);
  return path;
};

const objectOf = (root: string, name: string): string => {
  const oid = gitIn(root)('hash-object', name).trim();
  return join(root, '.git/objects', oid.slice(0, 2), oid.slice(2));
};

const hostile: Readonly<Record<string, (at: Place) => void>> = {
  'programs in its configuration, and attributes that ask for them': (at) => {
    const trap = trapIn(at);
    const keys = ['core.fsmonitor', 'core.hooksPath', 'core.pager', 'core.editor', 'core.sshCommand', 'core.gitProxy', 'gpg.program'];
    for (const key of [...keys, 'filter.x.clean', 'filter.x.smudge', 'filter.x.process', 'diff.x.textconv', 'diff.x.command'])
      run(at.root, `git config ${key} ${trap}`);
    writeFileSync(join(at.root, '.gitattributes'), '* filter=x diff=x text\n');
  },
  'hooks of every name': (at) => {
    const trap = trapIn(at);
    for (const name of readdirSync(join(at.root, '.git/hooks')))
      linkSync(trap, join(at.root, '.git/hooks', name.replace('.sample', '') || 'x'));
  },
  'a configuration that includes one from elsewhere': ({ root, outside }) =>
    appendFileSync(join(root, '.git/config'), `[include]\n\tpath = ${outside}/.git/config\n[core]\n\tworktree = ${outside}\n`),
  'objects that are said to be elsewhere': ({ root, outside }) =>
    writeFileSync(join(root, '.git/objects/info/alternates'), `${outside}/.git/objects\n`),
  'objects that are a link': ({ root, outside }) => linkAt(join(root, '.git/objects'), join(outside, '.git/objects')),
  'an object that is a link': ({ root, outside }) => linkAt(objectOf(root, 'f1.txt'), objectOf(outside, 'f1.txt')),
  'a folder of objects that is a link': ({ root, outside }) =>
    linkAt(dirname(objectOf(root, 'f1.txt')), dirname(objectOf(outside, 'f1.txt'))),
  'a link as .git': ({ root, outside }) => linkAt(join(root, '.git'), join(outside, '.git')),
  'a .git that leads to a repository of others': ({ root, outside }) => {
    rmSync(join(root, '.git'), { recursive: true });
    writeFileSync(join(root, '.git'), `gitdir: ${outside}/.git\n`);
  },
  'a .git that leads to pipes': ({ root }) => {
    rmSync(join(root, '.git'), { recursive: true });
    writeFileSync(join(root, '.git'), 'gitdir: repository/worktrees/x\n');
    for (const name of ['commondir', 'gitdir', 'config']) pipeAt(join(root, 'repository/worktrees/x', name));
  },
  'pipes in the place of what git reads': ({ root }) => {
    for (const name of ['.git/config', '.git/index', '.git/info/attributes', '.git/objects/info/alternates', '.gitattributes'])
      pipeAt(join(root, name));
    for (const name of ['cache/CACHEDIR.TAG', 'venv/pyvenv.cfg', 'target/.rustc_info.json']) pipeAt(join(root, name));
  },
  'links in the place of what git reads': ({ root, outside }) => {
    for (const name of ['.git/config', '.git/index', '.git/info/attributes', '.git/objects/info/alternates', '.gitattributes'])
      linkAt(join(root, name), join(outside, 'f1.txt'));
    linkAt(join(root, 'cache/CACHEDIR.TAG'), join(outside, 'f1.txt'));
  },
  'files without end in the place of what git reads': ({ root }) => {
    for (const name of ['.git/config', '.git/index', '.git/info/attributes', '.gitattributes', '.git/packed-refs']) {
      writeFileSync(join(root, name), '');
      truncateSync(join(root, name), 2 ** 36);
    }
  },
  'a submodule, a work tree and a folder of files that are elsewhere': ({ root, outside }) => {
    mkdirSync(join(root, 'sub'));
    writeFileSync(join(root, 'sub/.git'), `gitdir: ${outside}/.git\n`);
    writeFileSync(join(root, '.gitmodules'), `[submodule "x"]\n\tpath = ../outside\n\turl = ${outside}\n`);
    mkdirSync(join(root, '.git/worktrees/x'), { recursive: true });
    writeFileSync(join(root, '.git/worktrees/x/gitdir'), `${outside}/.git\n`);
    writeFileSync(join(root, '.git/worktrees/x/commondir'), `${outside}/.git\n`);
    run(root, `git init -q inner && git -C inner config core.worktree ${outside}`);
  },
  'an index that names files elsewhere': ({ root }) =>
    forgeIndex(join(root, '.git/index'), (bytes) => {
      for (const name of ['f100.txt', 'f101.txt']) bytes.write(`../${name.slice(3)}`, bytes.indexOf(name), 'latin1');
    }),
  'an index whose lengths and times are those of other bytes': ({ root }) => {
    for (const name of ['f1.txt', 'f2.txt']) {
      rmSync(join(root, name));
      writeFileSync(join(root, name), 'FILE 0\n');
      utimesSync(join(root, name), 1e9, 1e9);
    }
  },
  'an index that gives a file the object of a longer one': ({ root }) =>
    forgeIndex(join(root, '.git/index'), (bytes) => {
      const idOf = (name: string): number => bytes.indexOf(`${name}\0`) - 22;
      bytes.copy(bytes, idOf('f1.txt'), idOf('f100.txt'), idOf('f100.txt') + 20);
    }),
  'an index that is cut off': ({ root }) => truncateSync(join(root, '.git/index'), 3_000),
  'objects that are missing': ({ root }) => {
    for (let i = 0; i < FILES; i += 2) unlinkSync(objectOf(root, `f${i}.txt`));
  },
  'a pack that is cut off': ({ root }) => {
    const path = packIn(root);
    truncateSync(path, statSync(path).size - 2_000);
  },
  'a pack that is a link': ({ root, outside }) => {
    const path = packIn(root);
    renameSync(path, join(outside, 'theirs.pack'));
    symlinkSync(join(outside, 'theirs.pack'), path);
  },
  'names with a newline, of the terminal, of options and of the greatest length': ({ root }) => {
    for (const name of ['new\nline', '\u001b[2Jx', '-rf', '"; touch ran; "', '$(touch ran)', 'x'.repeat(255), '文'.repeat(85), ' ', '\\'])
      writeFileSync(join(root, name), name);
  },
  'a pipe, a socket and links that lead out, nowhere and in a circle': ({ root, outside }) => {
    pipeAt(join(root, 'pipe'));
    run(root, `python3 -c "import socket; socket.socket(socket.AF_UNIX).bind('socket')"`);
    for (const [name, to] of [
      ['out', outside],
      ['nowhere', 'nothing'],
      ['circle', 'circle'],
      ['up', '..'],
    ] as const)
      symlinkSync(to, join(root, name));
  },
};

describe('a folder with', () => {
  test.each(sampleOf(Object.keys(hostile)))('%s runs nothing and leads nowhere, and its files come back', async (name) => {
    const at = place();
    const acts = actsIn(at.root);
    hostile[name]?.(at);
    const [before, theirs] = [filesOf(at.root), treeOf(at.outside)];
    acts.act('rm -f -- ./f* ./*line ./-rf; find . -maxdepth 1 -type f -exec chmod 600 {} +');
    acts.act('true');
    const problems = await acts.undo();
    expect(problems).toEqual([]);
    expect(filesOf(at.root)).toEqual(before);
    expect(treeOf(at.outside)).toEqual(theirs);
    expect(existsSync(join(at.root, 'ran'))).toBe(false);
    expect(acts.keptText()).not.toContain(CANARY);
  });

  /** Files beside the repository; what is no file and no folder cannot be made again. */
  const filesOf = (root: string): unknown => {
    const tree = run(
      root,
      'find . -path ./.git -prune -o ( -type f -o -type l -o -type d ) -printf "%P %m %l\\0"'.replace(/[()]/g, '\\$&'),
    );
    const bytes = Array.from({ length: FILES }, (_, i) => readFileSync(join(root, `f${i}.txt`), 'latin1'));
    return [tree.stdout.split('\0').toSorted(), bytes];
  };

  // More levels of names of one letter: test/stress/unit/deep-folder.test.ts.
  test('a path longer than the system takes is looked at as far as that names it, and that is told', async () => {
    const { root } = workFolders();
    writeFileSync(join(root, 'a'), 'a');
    run(root, `python3 -c "import os\nfor i in range(30): os.mkdir('d' * 200); os.chdir('d' * 200)"`);
    const acts = actsIn(root);
    const { set, uncovered } = acts.act('rm a');
    expect(pathsOf(root, set)).toEqual(['a']);
    expect([...uncovered.values()]).toEqual(['unreadable']);
    expect(await acts.undo()).toEqual([]);
    expect(readFileSync(join(root, 'a'), 'utf8')).toBe('a');
    run(root, 'rm -rf d*');
  });

  test('a program called git has it not run, though it is the first to be found', async () => {
    const at = place();
    const trap = trapIn(at);
    mkdirSync(join(at.root, 'node_modules/.bin'), { recursive: true });
    linkSync(trap, join(at.root, 'node_modules/.bin/git'));
    linkSync(trap, join(at.root, 'git'));
    const searchPath = [join(at.root, 'node_modules/.bin'), '.', '', at.root, process.env.PATH].join(delimiter);
    const acts = actsIn(at.root, { searchPath });
    acts.act('rm -f f*.txt');
    expect(await acts.undo()).toEqual([]);
    expect(readFileSync(join(at.root, 'f1.txt'), 'utf8')).toBe('file 1\n');
    expect(existsSync(join(at.outside, 'ran'))).toBe(false);
  });
});
