import { defineConfig, mergeConfig } from 'vitest/config';
import { shared } from '../../vitest.shared.ts';

export default mergeConfig(
  shared,
  defineConfig({
    test: { include: ['*.test.ts'], globalSetup: ['setup.ts'], testTimeout: 120_000, hookTimeout: 120_000 },
  }),
);
