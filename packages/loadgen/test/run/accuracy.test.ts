import { expect, test } from 'vitest';
import type { RequestRecord } from '../../src/requestRecord.ts';
import { inputs, loaded } from '../support/load.ts';
import { simulatorProcess } from '../support/simulator.ts';

const model = 'test/model';

/** What the simulator says of a request, ns. */
interface Truth {
  readonly id: number;
  readonly receivedNs: number;
  readonly firstWrittenNs: number;
  readonly lastWrittenNs: number;
  readonly outputTokens: number;
}

/** Times to the first token, between tokens and to the last one: errors in ms. */
function errorsOf({ firstTokenNs, lastTokenNs, trace, arrivals }: RequestRecord, truth: Truth): number[] {
  const first = firstTokenNs! - trace.sendStartNs! - (truth.firstWrittenNs - truth.receivedNs);
  const last = lastTokenNs! - trace.sendStartNs! - (truth.lastWrittenNs - truth.receivedNs);
  return [first, (last - first) / (arrivals.pieces - 1), last].map(ns => ns / 1e6);
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

// A quiet machine has 0.4, 0.0 and 0.4 ms; here only what is wrong by much more is caught, on a slow and busy one.
test('what 50 streams are said to have taken is what the simulator says', { retry: 2 }, async () => {
  const url = await simulatorProcess({ seed: 1, model, speed: 0.25 });
  const { records } = await loaded(url, {
    inputs: inputs(4, 20),
    target: { model, extraInputs: { ignore_eos: true } },
    warmup: { concurrency: 50, requestCount: 50 },
    profiling: { rate: 80, requestCount: 160 },
  });
  const { requests } = (await (await fetch(`${url}/truth?values=0`)).json()) as { requests: Truth[] };
  const truths = new Map(requests.map(request => [request.id, request]));
  const errors = records
    .filter(({ phase }) => phase === 'profiling')
    .map(record => {
      // The last eight digits of the server's id count its requests.
      const truth = truths.get(Number.parseInt(record.servedId!.slice(-8), 16) - 1)!;
      expect(record.arrivals.pieces).toBe(truth.outputTokens);
      return errorsOf(record, truth);
    });
  expect(errors).toHaveLength(160);
  const [first, between, last] = [0, 1, 2].map(index => median(errors.map(error => error[index]!)));
  // Nothing is seen before it has been written; but what came while the client was at work has the middle of that time, and a
  // client that works without a pause has all of its stamps so.
  expect(first).toBeGreaterThan(-10);
  expect(first).toBeLessThan(50);
  expect(Math.abs(between!)).toBeLessThan(5);
  expect(last).toBeGreaterThan(-10);
  expect(last).toBeLessThan(50);
});
