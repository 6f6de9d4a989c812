import { createRun } from '@org/analysis';
import { afterAll, describe, expect, test } from 'vitest';
import {
  createCounter,
  createDocument,
  createMetric,
  createTempFolder,
  healthyInfo,
  SECOND_NS,
  START_NS,
  URL_A,
} from '../../../../../packages/analysis/test/documents.ts';
import { ReadIssues } from '../../../src/report/readIssues.ts';
import { buildTimeline } from '../../../src/report/timeline/timeline.ts';
import { createMetricRun, VLLM_METRICS } from '../../support/reportedRuns.ts';
import { writeTestFile } from '../../support/runReader.ts';

const { path: folder, remove } = createTempFolder('timeline');
afterAll(remove);

describe('from timeslices', () => {
  const build = () => buildTimeline(createMetricRun(VLLM_METRICS), new ReadIssues());

  test('uses the slices as bins', async () => {
    const timeline = await build();
    expect(timeline).toMatchObject({ source: 'timeslices', binSeconds: 2, seconds: [1, 3, 5] });
    expect(timeline!.start).toBe(new Date(Number(START_NS / 1_000_000n)).toISOString());
  });

  test('combines endpoints by the kind of the metric', async () => {
    const { charts } = (await build())!;
    expect(charts.map(({ name, combined, all }) => [name, combined, all])).toEqual([
      ['vllm:num_requests_running', 'sum', [3, 5, 7]],
      ['vllm:kv_cache_usage_perc', 'max', [0.9, 0.4, 0.6]],
      ['vllm:e2e_request_latency_seconds', 'mean', expect.any(Array)],
      ['vllm:generation_tokens', 'sum', [10, 20, 30]],
    ]);
    expect(charts[0]!.endpoints!.map(({ values }) => values)).toEqual([
      [2, 4, 6],
      [1, 1, 1],
    ]);
    expect(charts[3]!.endpoints).toBeUndefined();
  });
});

describe('from scrapes', () => {
  const lines = [0, 1, 2, 3, 4].map(
    i =>
      `{"endpoint_url":"http://localhost:8000/metrics","timestamp_ns":${START_NS + BigInt(i) * SECOND_NS},` +
      `"endpoint_latency_ns":5,"metrics":{"vllm:generation_tokens":[{"value":${10 * i}}]}}\n`,
  );
  const metrics = { 'vllm:generation_tokens': VLLM_METRICS['vllm:generation_tokens'] };
  const build = (content: string, issues: ReadIssues, families = metrics, info: object = healthyInfo) => {
    const records = writeTestFile(folder, 'server_metrics_export.jsonl', content);
    const view = {
      ...createDocument(families, { [URL_A]: info }),
      input_config: { collection_interval: 2 },
    };
    const run = createRun({ name: 'run', layout: 'json', files: { records }, view });
    return buildTimeline(run, issues);
  };

  test('has at least two scrapes per bin', async () => {
    const issues = new ReadIssues();
    const timeline = await build(lines.join(''), issues);
    expect(timeline).toMatchObject({ source: 'all scrapes', binSeconds: 4, profiling: [0, 20] });
    expect(timeline!.charts[0]!.all).toEqual([10, null, null, null, null]);
    expect(issues.notes).toEqual([]);
  });

  test('draws the first increment of a counter that was created in the run', async () => {
    const stats = { created_in_run: true, increase: 50 };
    const created = createCounter(40, { slices: [10, 20, 30], stats });
    const tokens = createMetric('counter', [created], 'tokens');
    const content = lines
      .slice(1)
      .join('')
      .replaceAll(/"value":(\d+)/g, (_, value) => `"value":${+value + 30}`);
    const timeline = await build(content, new ReadIssues(), { 'vllm:generation_tokens': tokens });
    // 40 tokens until the first sample at 1 s, and 30 tokens until 4 s.
    expect(timeline!.charts[0]!.all).toEqual([17.5, null, null, null, null]);
  });

  test('starts with the first scrape of an endpoint that joined late, although its counters were created in the run', async () => {
    const stats = { created_in_run: true, increase: 10 };
    const tokens = createMetric('counter', [createCounter(0, { slices: [10], stats })], 'tokens');
    const joinedNs = START_NS + 10n * SECOND_NS;
    const content = lines[1]!.replace(String(START_NS + SECOND_NS), String(joinedNs));
    const info = { ...healthyInfo, first_fetch_ns: joinedNs, median_update_interval_ms: 2000 };
    const timeline = await build(content, new ReadIssues(), { 'vllm:generation_tokens': tokens }, info);
    expect(timeline!.charts[0]!.all).toEqual([null, null, 5, null, null]);
  });

  test('skips and reports broken lines', async () => {
    const issues = new ReadIssues();
    const timeline = await build(`${lines.join('')}not JSON\n`, issues);
    expect(timeline!.charts[0]!.all[0]).toBe(10);
    expect(issues.notes).toEqual([expect.stringMatching(/jsonl was not read completely: line 6/)]);
  });
});

test('returns undefined without key metrics and requests', async () => {
  expect(await buildTimeline(createMetricRun({}), new ReadIssues())).toBeUndefined();
});
