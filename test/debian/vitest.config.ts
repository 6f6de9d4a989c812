import { defineConfig, mergeConfig } from 'vitest/config';
import { sharedWithProcesses } from '../../vitest.shared.ts';

export default mergeConfig(
  sharedWithProcesses,
  defineConfig({
    test: {
      include: ['*.test.ts'],
      globalSetup: ['setup.ts'],
      testTimeout: 120_000,
      hookTimeout: 120_000,
      maxWorkers: 2,
    },
  }),
);
