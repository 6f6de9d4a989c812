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

// Errors on a quiet machine are 0.4, 0.0 and 0.4 ms. The bounds are wide, so that the test passes on slow and
// busy machines.
test('measured times of 50 streams match the simulator', { retry: 2 }, async () => {
  const url = await startSimulatorProcess({ seed: 1, model: MODEL, speed: 0.25 });
  const { records } = await runLoad(url, {
    inputs: createInputs(4, 20),
    target: { model: MODEL, extraInputs: { ignore_eos: true } },
    warmup: { concurrency: 50, requestCount: 50 },
    profiling: { rate: 80, requestCount: 160 },
  });
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
  // No token arrives before it was written, but a token that arrives while the client is busy gets the midpoint
  // of the busy time as its timestamp, which may be too early.
  expect(first).toBeGreaterThan(-10);
  expect(first).toBeLessThan(50);
  expect(Math.abs(between!)).toBeLessThan(5);
  expect(last).toBeGreaterThan(-10);
  expect(last).toBeLessThan(50);
});
