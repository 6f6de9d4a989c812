import { createRunFromView, type Finding } from '@org/analysis';
import { PacedResult } from '@org/core';
import { expect, test } from 'vitest';
import {
  createDocument,
  createGauge,
  createMetric,
  healthyInfo,
  SECOND_NS,
  START_NS,
  URL_A,
  URL_B,
} from '../../../../../packages/analysis/test/documents.ts';
import { ReadIssues } from '../../../src/report/readIssues.ts';
import { FollowedTraces } from '../../../src/report/timeline/followedTraces.ts';
import { readRunTraces } from '../../../src/report/timeline/readRunTraces.ts';

const NAME = 'vllm:num_requests_running';
const URLS = [URL_A, URL_B];
/** An endpoint that was scraped every 2 s, as in an imported run. */
const info = {
  ...healthyInfo,
  total_fetches: 11,
  avg_update_interval_ms: 2000,
  median_update_interval_ms: 2000,
};

/** Scrapes of two endpoints at different times, each every 2 s. */
function* listSamples() {
  for (let second = 0; second < 20; second++)
    yield {
      endpoint_url: URLS[second % 2]!,
      timestamp_ns: START_NS + BigInt(second) * SECOND_NS,
      endpoint_latency_ns: 0n,
      metrics: { [NAME]: [{ value: 3 }] },
    };
}

test('has samples of all endpoints in each bin, whatever their scrape interval is', async () => {
  const document = createDocument(
    {
      [NAME]: createMetric(
        'gauge',
        URLS.map(url => createGauge(3, { url })),
      ),
    },
    {
      [URL_A]: info,
      [URL_B]: info,
    },
  );
  const run = createRunFromView(document, 'a');
  const families = [run.families.get(NAME)!];
  const running = {
    listSamples,
    traces: new FollowedTraces(),
    findings: new PacedResult<readonly Finding[]>(1, () => 0),
  };
  const traces = await readRunTraces(run, families, 0, new ReadIssues(), running);
  expect(traces!.axis).toMatchObject({ bins: 5, width: 4 });
  for (const { trace } of traces!.list(NAME)) expect(trace.values()).toEqual([3, 3, 3, 3, 3]);
});
