import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { fullHalf } from './test/support/full-half.ts';
import { temporaryFolder } from './test/support/memory-disk.ts';

/**
 * Where single files take many seconds, the longest first: begun last, they would leave one of the workers with nothing to do. The very first
 * asks the system's segmenter tens of thousands of times, which takes ten times as long with the heap of a worker that has run many files.
 */
const SLOW = ['test/unit/terminal/text/text-width', 'test/stress/', 'test/crash/', 'test/e2e/', 'test/property/'];
const rank = ({ moduleId }: TestSpecification): number => {
  const found = SLOW.findIndex((folder) => moduleId.includes(folder));
  return found === -1 ? SLOW.length : found;
};

class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  test: {
    include: process.env.SANBOT_TEST === 'full' ? fullHalf() : ['test/**/*.test.ts'],
    pool: 'forks',
    // One more than the cores that tests are measured on: some wait for other processes most of their time.
    maxWorkers: 3,
    // Files hold nothing between them (see test/support/clean-up.ts), so that modules load once for each worker and not for each file.
    isolate: false,
    // What was compiled of a file is kept for the next run.
    experimental: { fsModuleCache: true },
    sequence: { sequencer: SlowFirst },
    env: { TMPDIR: temporaryFolder() },
    globalSetup: ['test/support/renew-output.ts', 'test/support/draw-lot.ts'],
    setupFiles: ['test/support/same-chance.ts', 'test/support/clean-up-hooks.ts'],
    // What hangs ends some time; no limit says how quick a test is, for which a busy machine may take twenty times as long as one alone.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
