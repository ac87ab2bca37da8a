import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    pool: 'forks',
    maxWorkers: 2,
    // Files hold nothing between them (see test/support/clean-up.ts), so that modules load once for each worker and not for each file.
    isolate: false,
    setupFiles: ['test/support/same-chance.ts', 'test/support/clean-up-hooks.ts'],
    testTimeout: 60_000,
    // Removing the worlds of a whole crash run takes longer than the usual ten seconds on a busy machine.
    hookTimeout: 120_000,
  },
});
