import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseMetricsTarget, parseServerTarget } from '@org/scrape';
import { type CreateSimulatorOptions, createSimulator } from '@org/simulator';
import { afterAll, onTestFinished } from 'vitest';
import {
  type CollectPlan,
  type ProfilePlan,
  type ProfileResult,
  profile,
  type RunOptions,
} from '../src/index.ts';

/** The model that the simulator serves. */
export const MODEL = 'servelens/simulated-8b';

/** Short intervals that keep tests fast; the defaults are meant for real servers. */
export const FAST_SETTINGS = { intervalMs: 50, flushMs: 0 } as const;

/** Starts a simulated server for all tests of a file. Returns its URL. */
export async function startSimulator(options: CreateSimulatorOptions = {}): Promise<string> {
  const simulator = createSimulator({ seed: 3, ...options });
  afterAll(() => simulator.close());
  return (await simulator.listen(0)).url;
}

/** Creates a folder that is removed at the end of the test. */
export function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'run-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Creates a plan that scrapes a server for a short time. */
export function createCollectPlan(url: string, changes: Partial<CollectPlan> = {}): CollectPlan {
  return {
    folder: createFolder(),
    targets: [parseMetricsTarget(url)],
    settings: FAST_SETTINGS,
    ...changes,
  };
}

/** Creates a plan that sends ten short streaming requests. */
export function createProfilePlan(url: string, changes: Partial<ProfilePlan> = {}): ProfilePlan {
  return {
    folder: createFolder(),
    targets: [parseServerTarget(url)],
    settings: FAST_SETTINGS,
    request: {
      models: [MODEL],
      urls: [url],
      endpoint: 'chat',
      streaming: true,
      headers: {},
      extraInputs: { ignore_eos: true },
      legacyMaxTokens: false,
      connectionReuse: 'pooled',
      tls: { verifyTls: true },
    },
    profiling: { concurrency: 2, requestCount: 10 },
    inputs: {
      inputTokens: { mean: 20, stddev: 0 },
      outputTokens: { mean: 6, stddev: 0 },
      sampling: 'sequential',
      fixedSchedule: false,
    },
    seed: 7,
    tokenizer: 'o200k_base',
    tokenCount: 'server',
    ...changes,
  };
}

/** Executes the plan of `createProfilePlan`. */
export function runProfilePlan(
  url: string,
  changes: Partial<ProfilePlan> = {},
  options: RunOptions = {},
): Promise<ProfileResult> {
  return profile(createProfilePlan(url, changes), options);
}
