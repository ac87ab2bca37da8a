import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, lstatSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { undoOf } from '../../src/context/history/past.ts';
import type { Changes } from '../../src/store/changes/changes.ts';
import { openRecord } from '../support/change-records.ts';
import { folders, run } from '../support/destructive.ts';
import { treeOf } from '../support/folder-facts.ts';
import { slowRuns } from '../support/runs.ts';
import { newFolder, worldOf } from '../unit/store/files/world.ts';

const PATHS = ['src/f1.txt', 'src/f2.txt', 'docs/a.md', 'run.sh', 'untracked.txt', 'new/made.txt', '新 文件'];
const COMMANDS = [
  ...[
    'rm -rf src',
    'mv src moved',
    'rm -rf docs; echo x > docs',
    'mv src/f1.txt src/f2.txt',
    "sed -i 's/file/FILE/' src/*.txt",
    '> run.sh',
  ],
  ...['find . -name "*.txt" -delete', 'chmod -R 700 src', 'ln -sf docs link; rm -f run.sh', 'mkdir -p new/deep; echo n > new/made.txt'],
  ...['cp -r src copy', 'rm -rf ./* .env', 'echo a > "新 文件"; truncate -s 3 src/f2.txt', 'rm -rf new copy moved', 'true'],
];

const anyStep = fc.oneof(
  { weight: 3, arbitrary: fc.record({ by: fc.constant('command' as const), command: fc.constantFrom(...COMMANDS) }) },
  { weight: 1, arbitrary: fc.record({ by: fc.constant('edit' as const), path: fc.constantFrom(...PATHS) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      by: fc.constant('others' as const),
      path: fc.constantFrom(...PATHS, 'theirs'),
      does: fc.constantFrom('append', 'remove', 'write'),
    }),
  },
);
type Step = typeof anyStep extends fc.Arbitrary<infer T> ? T : never;
type Tree = Readonly<Record<string, string>>;

test('undoing all acts since one of them brings back what each path was, and what others did since stays [C105]', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 3, maxLength: 6 }), fc.nat(5), fc.boolean(), async (steps, from, restarts) => {
      const root = join(realpathSync(newFolder()), 'w');
      mkdirSync(root);
      folders['no repository']?.(root);
      const { disk, paths } = worldOf({ now: () => new Date() });
      const folder = join(paths.home, 'changes');
      const open = (): Changes => openRecord(disk, folder);
      let changes = open();
      // What there is before anybody acts is known to it.
      changes.begin(root, { id: 'first', title: 'true', record: -1 }).end();
      const trees: Tree[] = [treeOf(root)];
      for (const [record, step] of steps.entries()) {
        if (restarts) changes = open();
        perform(step, record, { root, changes });
        trees.push(treeOf(root));
      }
      const since = Math.min(from, steps.length - 1);
      await undoSince(since, { root, changes: open() });
      expect(treeOf(root)).toEqual(expectedAfter(steps, trees, since));
    }),
    { numRuns: slowRuns(100) },
  );
});

type At = { readonly root: string; readonly changes: Changes };

function perform(step: Step, record: number, { root, changes }: At): void {
  const by = { id: `act-${record}`, title: step.by, record };
  if (step.by === 'command') {
    const act = changes.begin(root, by);
    run(root, step.command);
    act.end();
    return;
  }
  const path = join(root, step.path);
  const made = existsSync(dirname(path)) ? [] : [dirname(path)];
  if (!lstatSync(dirname(path), { throwIfNoEntry: false })?.isDirectory() && made.length === 0) return;
  if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  if (step.by === 'others') {
    if (made.length > 0) return;
    if (step.does === 'remove') rmSync(path, { force: true });
    else if (step.does === 'append') appendFileSync(path, `theirs ${record}\n`);
    else writeFileSync(path, `theirs ${record}\n`);
    return;
  }
  for (const each of made) mkdirSync(each);
  const before = existsSync(path) ? contentOf(readFileSync(path), lstatSync(path).mode & 0o777) : undefined;
  const text = Buffer.from(`edited ${record}\n`);
  changes.edit({ path, folders: made, before, after: contentOf(text, before?.mode) }, by);
  writeFileSync(path, text);
}

const contentOf = (content: Buffer, mode: number | undefined) => ({
  bytes: content.length,
  fingerprint: createHash('sha256').update(content).digest('hex'),
  content,
  ...(mode !== undefined && { mode }),
});

async function undoSince(record: number, { root, changes }: At): Promise<void> {
  const undos = undoOf(changes.sets(), ({ by }) => by !== undefined && by.record >= record).filter(
    ({ path, expected, target }) => changes.isNow(path, expected) && !changes.isNow(path, target),
  );
  const all = undos.map(({ path, target }) => ({ path, to: target }));
  const problems = await changes.restore(all, root, { id: 'undo', title: 'undo', record: 1_000 });
  expect(problems).toEqual([]);
}

/** By the trees alone: of each path what others left last, or what it was before the first of the acts. */
function expectedAfter(steps: readonly Step[], trees: readonly Tree[], since: number): Tree {
  const paths = [...new Set(trees.flatMap((tree) => Object.keys(tree)))];
  const wanted = new Map<string, string>();
  for (const path of paths) {
    const theirs = steps.findLastIndex((step, i) => i >= since && step.by === 'others' && trees[i]?.[path] !== trees[i + 1]?.[path]);
    const then = trees[theirs < 0 ? since : theirs + 1]?.[path];
    if (then !== undefined) wanted.set(path, then);
  }
  const last = trees.at(-1) ?? {};
  for (const path of wanted.keys())
    for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
      // What others put into a folder keeps it, as it is now.
      const now = last[folder];
      if (!wanted.has(folder) && now !== undefined) wanted.set(folder, now);
    }
  return Object.fromEntries(wanted);
}
