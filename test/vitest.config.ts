import { defineConfig, mergeConfig } from 'vitest/config';
import { shared } from '../vitest.shared.ts';

export default mergeConfig(
  shared,
  defineConfig({
    test: {
      include: ['*.test.ts'],
      testTimeout: 600_000,
      hookTimeout: 600_000,
      // Most of their time they wait for processes of their own; one worker a core would have them wait for each other.
      maxWorkers: 3,
    },
  }),
);
