import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    // Removing the worlds of a whole crash run takes longer than the usual ten seconds on a busy machine.
    hookTimeout: 120_000,
    pool: 'forks',
    maxWorkers: 2,
  },
});
