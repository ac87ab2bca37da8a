import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { branchOf, findRepositoryRoot, repositoryIdentity } from '../../src/runtime/trust/repository.ts';
import { afterThisFile } from '../support/clean-up.ts';
import { run } from '../support/destructive.ts';
import { treeOf } from '../support/folder-facts.ts';
import { fewRuns } from '../support/runs.ts';
import { actsIn } from '../unit/store/changes/world.ts';
import { inSituation, repositoryCases, situationNames } from './repositories.ts';

const templates = realpathSync(mkdtempSync(join(tmpdir(), 'sanbot-repositories-')));
afterThisFile(() => rmSync(templates, { recursive: true, force: true }));
const base = join(templates, 'copy');

const quick = fewRuns(100) < 100 ? situationNames.filter((_, at) => at % 12 === 6) : situationNames;

test.each(quick)('a repository %s is read without git, and named as git names it [B-50]', (situation) => {
  const root = inSituation(situation, { templates, base });
  expect(() => repositoryIdentity(root)).not.toThrow();
  const branch = branchOf(root);
  const said = run(root, 'git symbolic-ref -q --short HEAD').stdout.trim();
  if (said !== '' && /^[\w./+@-]+$/.test(said)) expect(branch).toBe(situation === 'bare' ? undefined : said);
  else expect(branch).toBeUndefined();
  expect(findRepositoryRoot(join(root, 'src'))).toBe(situation === 'bare' ? undefined : root);
  expect(existsSync(`${root}.ran`)).toBe(false);
});

test('what commands did in a repository in any state is undone, or is said not to be, and nothing that it names runs [B-50]', async () => {
  await fc.assert(
    fc.asyncProperty(repositoryCases, async ({ situation, steps }) => {
      const root = inSituation(situation, { templates, base });
      const before = treeOf(root);
      const acts = actsIn(root);
      const running = acts.begin(steps.join('; '));
      // The programs that its settings name run when git is asked, by the command itself.
      run(root, steps.join('; '));
      const byCommand = existsSync(`${root}.ran`);
      rmSync(`${root}.ran`, { force: true });
      const ended = running.end();
      const restored = await acts.undo();
      expect(existsSync(`${root}.ran`), `${situation}, ${byCommand}`).toBe(false);
      const now = treeOf(root);
      const differing = [...new Set([...Object.keys(before), ...Object.keys(now)])].filter((path) => before[path] !== now[path]);
      const told = JSON.stringify([{ ...ended, set: undefined }, restored]);
      for (const path of differing) expect(`${situation}: ${path} ${told}`).toContain(JSON.stringify(join(root, path)));
    }),
    { numRuns: fewRuns(200) },
  );
});
