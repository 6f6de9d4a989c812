import { onTestFinished } from 'vitest';
import type { Clock } from '../../src/clock.ts';
import { syntheticInputs } from '../../src/input/syntheticInputs.ts';
import type { RequestRecord } from '../../src/requestRecord.ts';
import type { LoadOptions } from '../../src/run/loadOptions.ts';
import type { LoadSummary } from '../../src/run/loadSummary.ts';
import { startLoad } from '../../src/run/localRun.ts';

const wallNs = BigInt(Date.now()) * 1_000_000n;
const startNs = process.hrtime.bigint();

/** A clock of the kind that the command line gives. */
export const clock: Clock = {
  nowNs: () => wallNs + (process.hrtime.bigint() - startNs),
  monotonicMs: () => performance.now(),
};

/** Short prompts and answers that depend on the seed. */
export function inputs(seed = 1, outputTokens = 5) {
  return syntheticInputs({
    seed,
    inputTokens: { mean: 12, stddev: 4 },
    outputTokens: { mean: outputTokens },
  });
}

/** What a test says differently. */
type More = Partial<Omit<LoadOptions, 'target'>> & { readonly target?: Partial<LoadOptions['target']> };

/** Options for a streamed chat load. */
export function optionsFor(url: string, more: More = {}): Omit<LoadOptions, 'onRecord'> {
  const { target, ...rest } = more;
  return {
    clock,
    inputs: inputs(),
    profiling: { concurrency: 2, requestCount: 4 },
    timeoutS: 20,
    ...rest,
    target: { urls: [url], model: 'test/model', streaming: true, ...target } as LoadOptions['target'],
  };
}

/** Runs a load to its end; it is cut when its test is over. */
export async function loaded(
  url: string,
  more: More = {},
): Promise<{ summary: LoadSummary; records: RequestRecord[] }> {
  const records: RequestRecord[] = [];
  const controller = new AbortController();
  onTestFinished(() => controller.abort());
  const options = optionsFor(url, more);
  const run = startLoad({
    signal: controller.signal,
    ...options,
    onRecord: record => records.push(record),
  });
  return { summary: await run.finished, records };
}
