import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { RequestRecord } from '../../src/requestRecord.ts';
import { createInputs, runLoad } from '../support/load.ts';
import { MODEL, startSimulatorProcess } from '../support/simulator.ts';

/** A request as recorded by the simulator. */
interface Truth {
  readonly id: number;
  readonly receivedNs: number;
  readonly firstWrittenNs: number;
  readonly lastWrittenNs: number;
  readonly outputTokens: number;
}

/** Returns the errors of three times in ms: to the first token, between tokens, and to the last token. */
function computeErrors(
  { firstTokenNs, lastTokenNs, trace, arrivals }: RequestRecord,
  truth: Truth,
): number[] {
  const first = firstTokenNs! - trace.sendStartNs! - (truth.firstWrittenNs - truth.receivedNs);
  const last = lastTokenNs! - trace.sendStartNs! - (truth.lastWrittenNs - truth.receivedNs);
  return [first, (last - first) / (arrivals.pieces - 1), last].map(ns => ns / 1e6);
}

function computeMedian(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

/** Sends small requests until `signal` is aborted. Returns the median of their durations in ms. */
async function measureRoundTrip(url: string, signal: AbortSignal): Promise<number> {
  const durations: number[] = [];
  while (!signal.aborted) {
    const startMs = performance.now();
    await (await fetch(`${url}/v1/models`)).text();
    durations.push(performance.now() - startMs);
    await sleep(10);
  }
  return computeMedian(durations);
}

// Errors on a quiet machine are 0.4, 0.0 and 0.4 ms. On a busy machine, the processes wait for a core, and
// errors grow with the duration of the smallest request.
test('measured times of 50 streams match the simulator', async () => {
  const url = await startSimulatorProcess({ seed: 1, model: MODEL, speed: 0.25 });
  const end = new AbortController();
  const roundTrip = measureRoundTrip(url, end.signal);
  const { records } = await runLoad(url, {
    inputs: createInputs(4, 20),
    target: { model: MODEL, extraInputs: { ignore_eos: true } },
    warmup: { concurrency: 50, requestCount: 50 },
    profiling: { rate: 80, requestCount: 160 },
  });
  end.abort();
  const maxError = 10 + 10 * (await roundTrip);
  const { requests } = (await (await fetch(`${url}/truth?values=0`)).json()) as { requests: Truth[] };
  const truths = new Map(requests.map(request => [request.id, request]));
  const errors = records
    .filter(({ phase }) => phase === 'profiling')
    .map(record => {
      // The last eight hexadecimal digits of the server's ID count its requests, starting at 1.
      const truth = truths.get(Number.parseInt(record.servedId!.slice(-8), 16) - 1)!;
      expect(record.arrivals.pieces).toBe(truth.outputTokens);
      return computeErrors(record, truth);
    });
  expect(errors).toHaveLength(160);
  const [first, between, last] = [0, 1, 2].map(index => computeMedian(errors.map(error => error[index]!)));
  // A token that arrives while the client is busy gets the midpoint of the busy time as its timestamp, which may
  // be too early.
  expect(Math.abs(first!)).toBeLessThan(maxError);
  expect(Math.abs(between!)).toBeLessThan(maxError / 10);
  expect(Math.abs(last!)).toBeLessThan(maxError);
});
