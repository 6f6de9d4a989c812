import type { OverSaturation, ProfileExport } from '@org/formats';
import { expect, test } from 'vitest';
import { createOutcome } from '../../src/repeat/runSequence.ts';
import { watchSaturation } from '../../src/saturation/saturatedRuns.ts';
import { Search } from '../../src/search/search.ts';
import type { SearchPlan } from '../../src/search/searchPlan.ts';

const EVIDENCE: OverSaturation = {
  signal: 'server_queue',
  detected_after: 42,
  window: 30,
  requests: 155,
  growth: { per_second: 5.04, low: 2.11, high: 8 },
};
const TEXT =
  'the load was ended after 42 s, because the servers were over-saturated: the queues of the servers grew by 5 (2.1 to 8) requests per second for 30 s, to 155 requests';

const DOCUMENT: ProfileExport = {
  schema_version: '1.3',
  request_count: { unit: 'requests', avg: 90 },
  load_generator: { tokenizer: 'server', over_saturation: EVIDENCE },
};
const RUN = { variation: { index: 0, label: 'request_rate_20', values: {} } } as never;

test('aggregates exclude a run whose load was ended, and state the evidence', () => {
  expect(createOutcome(RUN, { document: DOCUMENT })).toEqual({
    run: RUN,
    counts: { succeeded: 90, failed: 0, cancelled: 0 },
    error: TEXT,
  });
});

test('an over-saturated probe of a search has failed', async () => {
  const rules = ['time_to_first_token.p95 < 200', 'request_latency.p99 < 2000'];
  const search = new Search({ limits: rules.map(rule => ({ rule })) } as unknown as SearchPlan, '/nowhere');
  const { measurement } = await search.add(createOutcome(RUN, { document: DOCUMENT, endedEarly: TEXT }));
  expect(measurement).toEqual({
    verdict: 'failed',
    limits: rules.map(limit => ({ limit, outcome: 'unknown', detail: TEXT })),
  });
});

test.each([
  ['open loop', { rate: 5 }, {}, 30],
  ['open loop, with a window', { rate: 5 }, { overSaturationSeconds: 12 }, 12],
  ['closed loop', { concurrency: 5 }, {}, undefined],
])('probes in %s are watched', (_, profiling, window, expected) => {
  expect(watchSaturation({ profiling, ...window } as never)).toMatchObject({ profiling });
  expect(
    watchSaturation<{ profiling: object; overSaturationSeconds?: number }>({ profiling, ...window } as never)
      .overSaturationSeconds,
  ).toBe(expected);
});
