import { defineConfig, mergeConfig } from 'vitest/config';
import { sharedWithProcesses } from '../vitest.shared.ts';

export default mergeConfig(
  sharedWithProcesses,
  defineConfig({
    test: {
      include: ['*.test.ts', 'peers/support/*.test.ts'],
      testTimeout: 600_000,
      hookTimeout: 600_000,
      // These tests mostly wait for child processes; one worker per core would make them wait for each other.
      maxWorkers: 3,
    },
  }),
);
