import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { gitEnv } from './repositories.ts';

/**
 * All that a person would miss, found without SanBot's own code: each path's kind, permission bits and bytes, what git says of each
 * repository, and the objects that it has.
 */
export type FolderFacts = {
  readonly tree: Readonly<Record<string, string>>;
  readonly git: Readonly<Record<string, string>>;
  readonly objects: readonly string[];
};

export function factsOf(root: string): FolderFacts {
  const tree = treeOf(root);
  const repositories = Object.keys(tree).flatMap((path) => (/(?:^|\/)\.git$/.test(path) ? [path.slice(0, -'/.git'.length)] : []));
  const answers = repositories.map((path) => [path, gitAnswers(join(root, path))] as const);
  return {
    tree,
    git: Object.fromEntries(answers.map(([path, { facts }]) => [path, facts])),
    objects: answers.flatMap(([path, { objects }]) => objects.map((id) => `${path} ${id}`)),
  };
}

/** What is otherwise than before, in a few lines; what is there besides, of objects, is nothing that anybody misses. */
export function differences(before: FolderFacts, now: FolderFacts): readonly string[] {
  const has = new Set(now.objects);
  const lost = before.objects.filter((id) => !has.has(id));
  return [
    ...differing(before.tree, now.tree),
    ...differing(before.git, now.git),
    ...(lost.length === 0 ? [] : [`${lost.length} objects lost, as ${lost[0]}`]),
  ];
}

function differing(before: Readonly<Record<string, string>>, now: Readonly<Record<string, string>>): readonly string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])].filter((name) => before[name] !== now[name]);
  return names.map((name) => `${name}: ${before[name] ?? 'nothing'} became ${now[name] ?? 'nothing'}`);
}

/**
 * Kind, permission bits and contents of all below a folder; what git keeps as objects and folders that a tool makes again left out. Of an index
 * git tells what it says: the times in it change whenever git looks at a file. In the midst of a restore there may be one and no HEAD yet.
 */
export function treeOf(root: string): Readonly<Record<string, string>> {
  const tree: Record<string, string> = {};
  const visit = (folder: string): void => {
    const names = readdirSync(folder);
    for (const name of names) {
      const path = join(folder, name);
      const stats = lstatSync(path);
      if (name === 'node_modules' || (name === 'objects' && names.includes('HEAD'))) continue;
      const mode = (stats.mode & 0o7777).toString(8);
      tree[path.slice(root.length + 1)] = stats.isDirectory()
        ? `folder ${mode}`
        : stats.isSymbolicLink()
          ? `link ${readlinkSync(path)}`
          : stats.isFile()
            ? name === 'index' && (names.includes('HEAD') || folder.includes('/.git'))
              ? `file ${mode} of git`
              : `file ${mode} ${createHash('sha256').update(readFileSync(path)).digest('hex')}`
            : `other ${mode} ${stats.ino}`;
      if (stats.isDirectory()) visit(path);
    }
  };
  visit(root);
  return tree;
}

const QUESTIONS = [
  'git fsck --full --no-dangling --no-progress 2>&1 | grep -v "^notice"',
  ...['git ls-files -sv', 'git for-each-ref', 'git stash list', 'git status --porcelain=v2 --branch --ignored | grep -v node_modules'],
].join('; echo ---; ');
const OBJECTS = "git cat-file --batch-all-objects --batch-check='%(objectname)'";

/** Nothing is written for it. */
function gitAnswers(root: string): { readonly facts: string; readonly objects: readonly string[] } {
  const env = { ...gitEnv, GIT_OPTIONAL_LOCKS: '0' };
  const { stdout } = spawnSync('bash', ['-c', `${QUESTIONS}; echo ===; ${OBJECTS}`], { cwd: root, env, encoding: 'utf8' });
  const [facts = '', objects = ''] = stdout.split('===\n');
  return { facts, objects: objects.trim().split('\n') };
}
