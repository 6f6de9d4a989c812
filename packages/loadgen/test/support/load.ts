import type { Clock } from '@org/core';
import { expect, onTestFinished } from 'vitest';
import { createSyntheticInputs } from '../../src/input/syntheticInputs.ts';
import type { RequestRecord } from '../../src/requestRecord.ts';
import type { LoadOptions } from '../../src/run/loadOptions.ts';
import type { LoadSummary } from '../../src/run/loadSummary.ts';
import { startLoad } from '../../src/run/localRun.ts';
import { type Responder, startRawServer } from './server.ts';

const wallNs = BigInt(Date.now()) * 1_000_000n;
const startNs = process.hrtime.bigint();

/** A clock whose wall time never steps. */
export const clock: Clock = {
  nowNs: () => wallNs + (process.hrtime.bigint() - startNs),
  monotonicMs: () => performance.now(),
};

/** Creates inputs with prompts of about 12 tokens. */
export function createInputs(seed = 1, outputTokens = 5) {
  return createSyntheticInputs({
    seed,
    inputTokens: { mean: 12, stddev: 4 },
    outputTokens: { mean: outputTokens },
  });
}

/** Options that a test overrides. */
type Overrides = Partial<Omit<LoadOptions, 'target'>> & { readonly target?: Partial<LoadOptions['target']> };

/** Returns the options of a streamed chat load. */
export function createOptions(url: string, overrides: Overrides = {}): Omit<LoadOptions, 'onRecord'> {
  const { target, ...otherOptions } = overrides;
  return {
    clock,
    inputs: createInputs(),
    profiling: { concurrency: 2, requestCount: 4 },
    timeoutS: 20,
    ...otherOptions,
    target: { urls: [url], model: 'test/model', streaming: true, ...target } as LoadOptions['target'],
  };
}

/** Runs a load until it ends or the test finishes. Returns its summary and records. */
export async function runLoad(
  url: string,
  overrides: Overrides = {},
): Promise<{ summary: LoadSummary; records: RequestRecord[] }> {
  const records: RequestRecord[] = [];
  const controller = new AbortController();
  onTestFinished(() => controller.abort());
  const options = createOptions(url, overrides);
  const run = startLoad({
    signal: controller.signal,
    ...options,
    onRecord: record => records.push(record),
  });
  return { summary: await run.finished, records };
}

/** Sends one request to a raw server. Returns its record. */
export async function recordRequest(respond: Responder, overrides: Overrides = {}): Promise<RequestRecord> {
  const { url } = await startRawServer(respond);
  const { records } = await runLoad(url, { profiling: { concurrency: 1, requestCount: 1 }, ...overrides });
  expect(records).toHaveLength(1);
  return records[0]!;
}

/** Sorts records by the index of their requests. */
export function sortByIndex(records: readonly RequestRecord[]): RequestRecord[] {
  return [...records].sort((a, b) => a.index - b.index);
}
