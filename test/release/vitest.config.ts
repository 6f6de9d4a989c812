import { defineConfig, mergeConfig } from 'vitest/config';
import { shared } from '../../vitest.shared.ts';

export default mergeConfig(
  shared,
  defineConfig({
    test: {
      include: ['*.test.ts'],
      testTimeout: 600_000,
      hookTimeout: 600_000,
      // Each file builds release files, which takes all cores.
      fileParallelism: false,
    },
  }),
);
