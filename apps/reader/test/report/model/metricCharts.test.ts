import { expect, test } from 'vitest';
import type { KeyFamily } from '../../../src/report/keyFamilies.ts';
import { buildMetricCharts } from '../../../src/report/model/metricCharts.ts';
import type { RunTraces } from '../../../src/report/timeline/runTraces.ts';

const TRACES = {
  axis: { bins: 2, width: 1 },
  list: () => [{ endpoint: 'a', trace: { values: () => [1, 2] } }],
} as unknown as RunTraces;

test.each([
  ['requests in HTTP handlers', 'requests', 'Requests in HTTP handlers'],
  ['running requests', 'requests', 'Running requests'],
  ['queue depth by reason', 'requests', 'Queue depth by reason, requests'],
  ['end-to-end latency', 'seconds', 'Latency of requests, ms'],
  ['Inter-token latency', 'seconds', 'Time between tokens, ms'],
])('the chart of %j in %s has the title %j', (meaning, unit, title) => {
  const entry = {
    family: { name: 'a', unit },
    meaning,
    kind: 'level',
    combined: 'sum',
  } as unknown as KeyFamily;
  expect(buildMetricCharts([entry], TRACES, new Set()).charts[0]!.title).toBe(title);
});
