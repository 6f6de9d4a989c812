import { createRun, findFindings, type Run } from '@org/analysis';
import { afterAll, describe, expect, test } from 'vitest';
import {
  createCounter,
  createDocument,
  createGauge,
  createMetric,
  createTempFolder,
  healthyInfo,
  SECOND_NS,
  START_NS,
  URL_A,
} from '../../../../../packages/analysis/test/documents.ts';
import { buildCourse } from '../../../src/report/model/buildCourse.ts';
import type { Course } from '../../../src/report/model/course.ts';
import { readLoad } from '../../../src/report/model/runLoad.ts';
import { ReadIssues } from '../../../src/report/readIssues.ts';
import type { Layer } from '../../../src/svg/timeChartModel.ts';
import { createMetricRun, VLLM_METRICS } from '../../support/reportedRuns.ts';
import { writeTestFile } from '../../support/runReader.ts';

const { path: folder, remove } = createTempFolder('course');
afterAll(remove);

function build(run: Run, issues = new ReadIssues()): Promise<Course> {
  return buildCourse(run, readLoad(run), findFindings(run), issues);
}

/** Returns a layer of a chart. */
function findLayer({ timeline }: Course, id: string, name: string): Layer | undefined {
  return [...timeline!.columns.flatMap(({ charts }) => charts), ...timeline!.more]
    .find(chart => chart.id === id)
    ?.layers.find(layer => layer.name === name);
}

test('a run with less than two points has no timeline, because it is too short', async () => {
  const run = createMetricRun({});
  const line = {
    metadata: { request_start_ns: Number(START_NS), request_end_ns: Number(START_NS + SECOND_NS / 10n) },
    metrics: { request_latency: { value: 100, unit: 'ms' } },
  };
  const requests = writeTestFile(folder, 'short/profile_export.jsonl', `${JSON.stringify(line)}\n`);
  const times = { ...run.times, startNs: START_NS, seconds: 0.6 };
  const course = await build({ ...run, times, files: { ...run.files, requests } } as Run);
  expect(course.timeline).toBeUndefined();
  expect(course.isTooShort).toBe(true);
  const { isTooShort } = await build(run);
  expect(isTooShort).toBeUndefined();
});

describe('from timeslices', () => {
  test('uses the slices as points', async () => {
    const { timeline } = await build(createMetricRun(VLLM_METRICS));
    expect(timeline).toMatchObject({ source: 'timeslices', step: 2, range: [0, 6] });
    expect(timeline!.start).toBe(new Date(Number(START_NS / 1_000_000n)).toISOString());
  });

  test('adds running requests, and shows the fullest KV cache in percent', async () => {
    const course = await build(createMetricRun(VLLM_METRICS));
    expect(findLayer(course, 'server-queue', 'running')).toMatchObject({ values: [3, 5, 7] });
    expect(findLayer(course, 'server-kv-cache', 'used')).toMatchObject({ values: [90, 40, 60] });
    expect(findLayer(course, 'server-tokens', 'generated')).toMatchObject({ values: [10, 20, 30] });
  });

  test('fills the first column from the servers if there is no client', async () => {
    const { timeline } = await build(createMetricRun(VLLM_METRICS));
    expect(timeline!.columns.map(({ title, charts }) => [title, charts.map(({ id }) => id)])).toEqual([
      ['Load and answers, measured by the servers', ['server-latency', 'time-split']],
      ['What the servers did', ['server-queue', 'server-kv-cache', 'server-tokens']],
    ]);
  });

  test('draws the certain bounds of percentiles around their estimates', async () => {
    const course = await build(createMetricRun(VLLM_METRICS));
    // Buckets at 1, 2, 4 and 8 s, with a quarter of the observations each; p50 is the 25th or 26th of 50.
    expect(findLayer(course, 'server-latency', 'p50')).toMatchObject({
      low: [1000, 1000, 1000],
      high: [4000, 4000, 4000],
    });
    expect(findLayer(course, 'server-latency', 'p99')).toMatchObject({ low: [4000, 4000, 4000] });
  });

  test('compares replicas with one axis and their median', async () => {
    const { replicas } = await build(createMetricRun(VLLM_METRICS));
    const [running] = replicas;
    expect(running).toMatchObject({ title: 'Running requests', top: 6 });
    expect(running!.groups).toHaveLength(1);
    const [group] = running!.groups;
    expect(group).toMatchObject({ role: '', median: [1.5, 2.5, 3.5] });
    expect(group!.replicas.map(({ values, isHigh }) => [values, isHigh])).toEqual([
      [[2, 4, 6], true],
      [[1, 1, 1], false],
    ]);
    expect(group!.spread).toBe('Means from 1 to 4, median 2.5.');
  });
});

test('groups replicas by their role, each with its own median', async () => {
  const urls = [0, 1, 2, 3].map(i => `http://worker-${i}:8000/metrics`);
  const metrics = {
    'vllm:num_requests_running': createMetric(
      'gauge',
      urls.map((url, i) => createGauge(i + 1, { slices: [i + 1, i + 1, i + 1], url })),
    ),
    dynamo_component_requests: createMetric(
      'counter',
      urls.map((url, i) =>
        createCounter(10, { url, labels: { dynamo_component: i < 2 ? 'prefill' : 'backend' } }),
      ),
    ),
  };
  const { replicas } = await build(createMetricRun(metrics));
  const running = replicas.find(({ id }) => id === 'replicas-running')!;
  expect(running.top).toBe(4);
  expect(running.groups.map(({ role, median, spread }) => [role, median, spread])).toEqual([
    ['prefill', [1.5, 1.5, 1.5], 'Means from 1 to 2, median 1.5.'],
    ['backend', [3.5, 3.5, 3.5], 'Means from 3 to 4, median 3.5.'],
  ]);
  // 4 is more than 1.5 times the median of all, but not of its role.
  expect(running.groups.flatMap(({ replicas: list }) => list.map(({ isHigh }) => isHigh))).toEqual([
    false,
    false,
    false,
    false,
  ]);
});

describe('from scrapes', () => {
  const lines = [0, 1, 2, 3, 4].map(
    i =>
      `{"endpoint_url":"http://localhost:8000/metrics","timestamp_ns":${START_NS + BigInt(i) * SECOND_NS},` +
      `"endpoint_latency_ns":5,"metrics":{"vllm:generation_tokens":[{"value":${10 * i}}]}}\n`,
  );
  const metrics = { 'vllm:generation_tokens': VLLM_METRICS['vllm:generation_tokens'] };
  const buildTokens = async (
    content: string,
    issues: ReadIssues,
    families = metrics,
    info: object = healthyInfo,
  ) => {
    const records = writeTestFile(folder, 'server_metrics_export.jsonl', content);
    const view = {
      ...createDocument(families, { [URL_A]: info }),
      input_config: { collection_interval: 2 },
    };
    const course = await build(createRun({ name: 'run', layout: 'json', files: { records }, view }), issues);
    const layer = findLayer(course, 'server-tokens', 'generated');
    return { timeline: course.timeline!, values: layer && 'values' in layer ? layer.values : [] };
  };

  test('has at least two scrapes per point', async () => {
    const issues = new ReadIssues();
    const { timeline, values } = await buildTokens(lines.join(''), issues);
    expect(timeline).toMatchObject({ source: 'all scrapes', step: 4, marks: { profiling: [0, 20] } });
    expect(values).toEqual([10, null, null, null, null]);
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
    const { values } = await buildTokens(content, new ReadIssues(), { 'vllm:generation_tokens': tokens });
    // 40 tokens until the first sample at 1 s, and 30 tokens until 4 s.
    expect(values).toEqual([17.5, null, null, null, null]);
  });

  test('starts with the first scrape of an endpoint that joined late, although its counters were created in the run', async () => {
    const stats = { created_in_run: true, increase: 10 };
    const tokens = createMetric('counter', [createCounter(0, { slices: [10], stats })], 'tokens');
    const joinedNs = START_NS + 10n * SECOND_NS;
    const content = lines[1]!.replace(String(START_NS + SECOND_NS), String(joinedNs));
    const info = { ...healthyInfo, first_fetch_ns: joinedNs, median_update_interval_ms: 2000 };
    const { values, timeline } = await buildTokens(
      content,
      new ReadIssues(),
      { 'vllm:generation_tokens': tokens },
      info,
    );
    expect(values).toEqual([null, null, 5, null, null]);
    expect(timeline.marks.moments).toEqual([{ kind: 'start', seconds: 10, label: 'started' }]);
  });

  test('skips and reports broken lines', async () => {
    const issues = new ReadIssues();
    const { values } = await buildTokens(`${lines.join('')}not JSON\n`, issues);
    expect(values[0]).toBe(10);
    expect(issues.notes).toEqual([expect.stringMatching(/jsonl was not read completely: line 6/)]);
  });
});

test('has no timeline without key metrics and requests', async () => {
  expect((await build(createMetricRun({}))).timeline).toBeUndefined();
});
