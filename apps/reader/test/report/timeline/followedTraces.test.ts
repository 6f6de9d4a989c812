import { createRunFromView, type Run } from '@org/analysis';
import type { ServerMetricsRecord } from '@org/formats';
import { expect, test } from 'vitest';
import {
  createCounter,
  createDocument,
  createGauge,
  createHistogram,
  createMetric,
  healthyInfo,
  SECOND_NS,
  START_NS,
  URL_A,
  URL_B,
} from '../../../../../packages/analysis/test/documents.ts';
import { FollowedTraces, type ListSamples } from '../../../src/report/timeline/followedTraces.ts';

const GAUGE = 'vllm:num_requests_running';
const COUNTER = 'vllm:generation_tokens';
const HISTOGRAM = 'vllm:time_to_first_token_seconds';
const URLS = [URL_A, URL_B];

/** Creates a run that has been active for some seconds. */
function createRun(seconds: number, outages?: readonly object[]): Run {
  const endNs = START_NS + BigInt(seconds) * SECOND_NS;
  const times = {
    end_time: new Date(Number(endNs / 1_000_000n)).toISOString(),
    profiling_start_ns: START_NS,
    profiling_end_ns: endNs,
  };
  const info = { ...healthyInfo, ...(outages && { outages }) };
  const document = createDocument(
    {
      [GAUGE]: createMetric(
        'gauge',
        URLS.map(url => createGauge(3, { url })),
      ),
      [COUNTER]: createMetric(
        'counter',
        URLS.map(url => createCounter(3, { url })),
      ),
      [HISTOGRAM]: createMetric(
        'histogram',
        URLS.map(url => createHistogram(3, 1, { url })),
        'seconds',
      ),
    },
    { [URL_A]: info, [URL_B]: healthyInfo },
    times,
  );
  return createRunFromView(document, 'a');
}

/** Returns the scrapes of the first seconds: three per second and endpoint, with values that change. */
function createSamples(seconds: number): ListSamples & { read: number } {
  function* listSamples(_: ReadonlySet<string>, after?: (url: string) => bigint | undefined) {
    for (let scrape = 0; scrape < 3 * seconds; scrape++)
      for (const [i, url] of URLS.entries()) {
        const timestampNs = START_NS + (BigInt(scrape) * SECOND_NS) / 3n + BigInt(i);
        if (timestampNs <= (after?.(url) ?? 0n)) continue;
        list.read++;
        const total = scrape * (scrape % 7);
        yield {
          endpoint_url: url,
          timestamp_ns: timestampNs,
          endpoint_latency_ns: 0n,
          metrics: {
            [GAUGE]: [{ value: (scrape % 11) + i }],
            [COUNTER]: [{ value: 10 * scrape }],
            [HISTOGRAM]: [{ sum: total, count: 2 * scrape, buckets: { '1': scrape, '+Inf': 2 * scrape } }],
          },
        } as unknown as ServerMetricsRecord;
      }
  }
  const list = Object.assign(listSamples, { read: 0 });
  return list;
}

const addUp = (values: Iterable<number>): number =>
  Math.round([...values].reduce((sum, value) => sum + value, 0));

/** Reads the values of all series, and the totals of the slices, whose width may differ. */
function readValues(
  traces: FollowedTraces,
  seconds: number,
  listSamples: ListSamples,
  run = createRun(seconds),
) {
  const read = traces.read(run, [...run.families.values()], 40 * seconds, listSamples)!;
  return [GAUGE, COUNTER, HISTOGRAM].map(name =>
    read
      .list(name)
      .map(({ trace, slices }) => [
        trace.values(),
        slices && [addUp(slices.counts), addUp(slices.sums), ...[...slices.buckets.values()].map(addUp)],
      ]),
  );
}

test.each([
  ['in small steps', [1, 2, 3, 5, 8, 13, 21, 34]],
  ['until the axis has no space', [60, 100, 140, 200, 300]],
])('has the values of all scrapes if the run is read %s', (_, lengths) => {
  const traces = new FollowedTraces();
  for (const seconds of lengths)
    expect(readValues(traces, seconds, createSamples(seconds))).toEqual(
      readValues(new FollowedTraces(), seconds, createSamples(seconds)),
    );
});

test('adds each scrape once while there is space', () => {
  const traces = new FollowedTraces();
  const counts = [90, 91, 92].map(seconds => {
    const samples = createSamples(seconds);
    readValues(traces, seconds, samples);
    return samples.read;
  });
  expect(counts).toEqual([540, 6, 6]);
});

test('adds all scrapes again if an outage was recorded', () => {
  const traces = new FollowedTraces();
  readValues(traces, 90, createSamples(90));
  const outages = [{ start_ns: START_NS + 40n * SECOND_NS, end_ns: START_NS + 50n * SECOND_NS }];
  const samples = createSamples(91);
  const values = readValues(traces, 91, samples, createRun(91, outages));
  expect(samples.read).toBe(546);
  expect(values).toEqual(readValues(new FollowedTraces(), 91, createSamples(91), createRun(91, outages)));
});

test('has no traces of a run whose time range is unknown', () => {
  const run = { ...createRun(10), times: {} as Run['times'] };
  expect(new FollowedTraces().read(run, [], 0, createSamples(10))).toBeUndefined();
});
