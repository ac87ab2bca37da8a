/**
 * Runs the files of tests that it is asked for, one after another until one is red, in the copy that it is started in. It is a process of its
 * own, so that it can be killed with all that hangs. What vitest has compiled of the changed sources it keeps from one question to the next,
 * while each question has a fresh worker.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { BaseSequencer, createVitest, type TestSpecification, type Vitest } from 'vitest/node';

/** `isWhole`: also after a test that is red. */
export type Question = { readonly files: readonly string[]; readonly isWhole: boolean };
export type Answer =
  | { readonly type: 'ready' }
  | { readonly type: 'started'; readonly file: string }
  | { readonly type: 'done'; readonly redFile: string | undefined };

const root = realpathSync(process.cwd());
const say = (answer: Answer): void => void process.send?.(answer);
const nameOf = (moduleId: string): string => relative(root, moduleId);

class InOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files;
  }
}

const changedSources = {
  name: 'changed-sources',
  enforce: 'pre' as const,
  load(id: string) {
    const path = join(root, 'changed', relative(root, id.replace(/\?.*$/, '')));
    return id.startsWith(join(root, 'src')) && existsSync(path) ? readFileSync(path, 'utf8') : null;
  },
};

const vitest = await createVitest(
  'test',
  {
    watch: false,
    maxWorkers: 1,
    sequence: { sequencer: InOrder },
    experimental: { fsModuleCache: false },
    reporters: [{ onTestModuleStart: ({ moduleId }) => say({ type: 'started', file: nameOf(moduleId) }) }],
  },
  { plugins: [changedSources], cacheDir: join(root, '.cache') },
);
// The same one for each runner of this copy, so that what killed tests leave there goes away.
const temporary = join(vitest.config.env?.TMPDIR ?? tmpdir(), `m-${createHash('sha256').update(root).digest('hex').slice(0, 8)}`);
const removeTemporary = (): void => rmSync(temporary, { recursive: true, force: true });
removeTemporary();
mkdirSync(temporary);
for (const { config } of [vitest, ...vitest.projects]) config.env = { ...config.env, TMPDIR: temporary };
process.on('disconnect', () => process.exit());
process.on('exit', removeTemporary);

const known = new Map((await vitest.globTestSpecifications()).map((each) => [nameOf(each.moduleId), each]));
process.on('message', (question: Question) => void answer(vitest, question));
say({ type: 'ready' });

async function answer({ state, projects }: Vitest, { files, isWhole }: Question): Promise<void> {
  state.filesMap.clear();
  state.idMap.clear();
  for (const { config } of [vitest, ...projects]) config.bail = isWhole ? 0 : 1;
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(files.flatMap((file) => known.get(file) ?? []));
  const red = testModules.find((each) => each.state() === 'failed');
  for (const name of readdirSync(temporary)) rmSync(join(temporary, name), { recursive: true, force: true });
  const outside = unhandledErrors.length > 0 ? 'an error outside of the tests' : undefined;
  say({ type: 'done', redFile: red === undefined ? outside : nameOf(red.moduleId) });
}
