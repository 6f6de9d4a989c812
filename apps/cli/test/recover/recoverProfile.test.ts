import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import type { ProfileMetric } from '@org/formats';
import { LOAD_MARK } from '@org/record/journal';
import { replayJournal } from '@org/scrape';
import { beforeAll, describe, expect, test } from 'vitest';
import { killProfile } from '../support/killedProfile.ts';
import {
  computePercentile,
  countRequests,
  getMetric,
  MODEL,
  readClientExports,
  sortTimes,
} from '../support/profileRun.ts';
import { FAST_SCRAPES, runServelens } from '../support/servelens.ts';
import { startSimulator } from '../support/simulator.ts';
import { makeSuiteFolder } from '../support/temporaryFolder.ts';
import { findErrors } from '../support/validation.ts';

const LOAD = ['--streaming', '--isl', '20', '--osl', '12', '--use-server-token-count', '--concurrency', '4'];
/** Options that add goodput, timeslices and failed requests. */
const ALL_METRICS = [
  ...['--goodput', 'time_to_first_token:40 inter_token_latency:9', '--slice-duration', '0.5'],
  ...['--request-cancellation-rate', '25', '--request-cancellation-delay', '0.05'],
];
/** A duration that is longer than the time until the run is killed. */
const ENDLESS = ['--benchmark-duration', '1000'];

const { url } = await startSimulator({ seed: 3 });
const root = makeSuiteFolder();

function readText(folder: string, name: string): string {
  return readFileSync(join(folder, name), 'utf8');
}

/** Runs `servelens recover` and returns its log. */
async function recover(folder: string): Promise<string> {
  const { code, err } = await runServelens(['recover', folder], { cwd: folder });
  expect(code, err).toBe(0);
  return err;
}

interface Line {
  readonly metadata: {
    readonly request_start_ns: bigint;
    readonly request_end_ns: bigint;
    readonly was_cancelled?: boolean;
    readonly stopped_early?: boolean;
  };
  readonly metrics: Record<string, { readonly value: number | readonly number[] }>;
  readonly error: object | null;
}

/** Parses the complete lines of profile_export.jsonl, without the reader that recovery uses. */
function readLines(folder: string): Line[] {
  const complete = readText(folder, 'profile_export.jsonl').split('\n').slice(0, -1);
  const lines = complete.map(line => {
    // Quotes the timestamps, because JSON.parse would round them.
    const quoted = line.replace(/("request_(?:start|end)_ns":)(\d+)/g, '$1"$2"');
    const { metadata, ...otherFields } = JSON.parse(quoted);
    const { request_start_ns: start, request_end_ns: end } = metadata;
    const times = { request_start_ns: BigInt(start), request_end_ns: BigInt(end) };
    return { ...otherFields, metadata: { ...metadata, ...times } };
  });
  return lines.filter(({ metadata }) => metadata.benchmark_phase === 'profiling');
}

/** Collects the values of each request metric, by metric name. */
function collectValues(lines: readonly Line[]): Map<string, number[]> {
  const values = new Map<string, number[]>();
  for (const { metrics } of lines)
    for (const [tag, { value }] of Object.entries(metrics))
      values.set(tag, [...(values.get(tag) ?? []), ...[value].flat()]);
  return values;
}

/** Returns the median interval between scrapes, in nanoseconds; 0 without server metrics. */
function readScrapeInterval(folder: string): bigint {
  if (!existsSync(join(folder, 'server_metrics_export.json'))) return 0n;
  const { summary } = JSON.parse(readText(folder, 'server_metrics_export.json'));
  const [info] = Object.values<{ median_update_interval_ms?: number }>(summary.endpoint_info);
  return BigInt(Math.round((info?.median_update_interval_ms ?? 0) * 1e6));
}

function expectStatistics(document: object, lines: readonly Line[]): void {
  for (const [tag, values] of collectValues(lines)) {
    const metric = getMetric(document, tag) as Required<ProfileMetric>;
    const sum = values.reduce((total, value) => total + value, 0);
    // A phase has the number of good requests, not a distribution.
    if (tag === 'good_request_count') {
      expect(metric.avg, tag).toBe(sum);
      continue;
    }
    expect(metric.count, tag).toBe(values.length);
    expect([metric.min, metric.max], tag).toEqual([Math.min(...values), Math.max(...values)]);
    expect(Math.abs(metric.sum - sum), tag).toBeLessThanOrEqual(1e-12 * Math.abs(sum));
    for (const percent of [1, 50, 90, 99] as const)
      expect(metric[`p${percent}`], `${tag} p${percent}`).toBeCloseTo(computePercentile(values, percent), 9);
  }
}

/** A run that is killed after a number of requests, or in its warm-up if the number is 0. */
interface KilledRun {
  readonly moment: string;
  readonly minRequests: number;
  readonly options: readonly string[];
}

const WARMUP = ['--warmup-request-count', '4'];

const KILLED_RUNS: readonly KilledRun[] = [
  { moment: 'in its warm-up', minRequests: 0, options: ['--warmup-duration', '1000'] },
  { moment: 'at the start of profiling', minRequests: 1, options: WARMUP },
  {
    moment: 'between cancelled requests',
    minRequests: 25,
    options: [...WARMUP, '--workers', '2', ...ALL_METRICS],
  },
  { moment: 'without server metrics', minRequests: 12, options: ['--no-server-metrics', ...ALL_METRICS] },
];

/** Runs with at least this number of requests are scraped after the start of profiling, so they can be reconciled. */
const MIN_RECONCILED_REQUESTS = 20;

/** Reports whether a journal contains a scrape more than 0.1 s after a mark. */
function isScrapedAfter(journal: string, kind: string): boolean {
  const { marks, endpoints } = replayJournal(journal);
  const mark = marks.find(candidate => candidate.kind === kind);
  if (!mark) return false;
  return endpoints.some(({ store }) => {
    const { originNs, offsetsNs } = store.timeline();
    return originNs + BigInt(offsetsNs.at(-1) ?? 0) > mark.atNs + 100_000_000n;
  });
}

/**
 * Promises that resolve when the runs are killed, by moment. The runs start together, because most of their
 * time is startup.
 */
const kills = new Map<string, Promise<string>>();
beforeAll(() => {
  for (const { moment, minRequests, options } of KILLED_RUNS) {
    const folder = join(root, moment);
    const journal = join(folder, 'server_metrics.journal');
    const isTimeToKill = (): boolean => {
      if (minRequests === 0) return existsSync(journal) && statSync(journal).size > 15_000;
      if (countRequests(folder) < minRequests) return false;
      return minRequests < MIN_RECONCILED_REQUESTS || isScrapedAfter(journal, LOAD_MARK.started);
    };
    const kill = killProfile(url, folder, [...LOAD, ...ENDLESS, ...options], isTimeToKill);
    kill.catch(() => {});
    kills.set(moment, kill);
  }
});

describe.each(KILLED_RUNS)('a run killed $moment', ({ moment, minRequests, options }) => {
  const hasServerMetrics = !options.includes('--no-server-metrics');
  const folder = join(root, moment);
  let log = '';
  let lines: readonly Line[] = [];
  beforeAll(async () => {
    await kills.get(moment);
    lines = readLines(folder);
    log = await recover(folder);
  });

  test('has valid exports of the requested formats only', async () => {
    expect(await findErrors(folder)).toEqual([]);
    const names = readdirSync(folder);
    expect(names).toContain('profile_export_aiperf.csv');
    expect(names.includes('server_metrics_export.json')).toBe(hasServerMetrics);
    expect(names.includes('profile_export_aiperf_timeslices.json')).toBe(
      options.includes('--slice-duration'),
    );
    expect(names).not.toContain('servelens.sock');
  });

  test('computes statistics over its requests', async () => {
    const { document } = await readClientExports(folder);
    const successes = lines.filter(({ error }) => error === null);
    expect(lines.length).toBeGreaterThanOrEqual(minRequests);
    expectStatistics(document, lines);
    expect(getMetric(document, 'request_count').avg).toBe(successes.length);
    const failed = lines.filter(({ error, metadata }) => error && !metadata.was_cancelled).length;
    const cancelled = lines.length - successes.length - failed;
    if (cancelled > 0) expect(getMetric(document, 'cancelled_request_count').avg).toBe(cancelled);
    if (failed > 0) expect(getMetric(document, 'error_request_count').avg).toBe(failed);
    else expect(document).not.toHaveProperty('error_request_count');
    expect((document.error_summary ?? []).reduce((total, { count }) => total + count, 0)).toBe(failed);
    if (successes.length === 0) return;
    const starts = successes.map(({ metadata }) => metadata.request_start_ns);
    const [first] = sortTimes(starts);
    const ends = successes.map(({ metadata, metrics }) => {
      const latency = metrics.request_latency!.value as number;
      return metadata.request_start_ns + BigInt(Math.round(latency * 1e6));
    });
    const last = sortTimes(ends).at(-1);
    expect(getMetric(document, 'benchmark_duration').avg).toBe(Number(last! - first!) / 1e9);
    if (!options.includes('--goodput')) return;
    const goodRequests = successes.filter(({ metrics }) => {
      const [ttft, itl] = [metrics.time_to_first_token?.value, metrics.inter_token_latency?.value];
      return Number(ttft) <= 40 && Number(itl) <= 9;
    });
    expect(getMetric(document, 'good_request_count').avg).toBe(goodRequests.length);
  });

  test('assigns requests to the timeslices in which they started', async () => {
    const { slices } = await readClientExports(folder);
    if (!options.includes('--slice-duration')) return expect(slices).toBeUndefined();
    const actual = slices!.timeslices.map(slice => ({
      start: slice.start_ns as bigint,
      requests: getMetric(slice, 'request_count').avg,
    }));
    const successes = lines.filter(({ error }) => error === null);
    // A last slice that is shorter than the scrape interval is omitted. Its requests are assigned to the
    // previous timeslice.
    const lastStart = actual.at(-1)!.start;
    const countStarts = (start: bigint): number => {
      const end = start + 500_000_000n + (start === lastStart ? readScrapeInterval(folder) : 0n);
      return successes.filter(({ metadata: { request_start_ns: time } }) => time >= start && time < end)
        .length;
    };
    expect(actual.map(({ requests }) => requests)).toEqual(actual.map(({ start }) => countStarts(start)));
    expect(actual.reduce((total, { requests }) => total + requests!, 0)).toBe(successes.length);
  });

  test('records its recovery, and omits unknown values', async () => {
    const { document } = await readClientExports(folder);
    expect(document).toMatchObject({
      was_cancelled: true,
      recovered: { requests: lines.length, lines_dropped: 0 },
      run_info: { random_seed: 7, run_label: 'run_0001' },
      input_config: { models: { items: [{ name: MODEL }] } },
    });
    const earlyStops = lines.filter(({ metadata }) => metadata.stopped_early).length;
    expect(document.load_generator).toEqual({
      tokenizer: 'server',
      token_source: 'server',
      ...(earlyStops > 0 ? { early_stops: earlyStops } : {}),
      ...(options.includes('--workers') ? { workers: 2 } : {}),
    });
    expect(document.run_info!.cli_command).toContain('--isl 20');
    expect(log).not.toContain('skipped');
    const { reconciliation } = document;
    if (!hasServerMetrics || minRequests === 0) return expect(reconciliation).toBeUndefined();
    // A run that is killed early may have no scrape after the start of profiling.
    if (minRequests >= MIN_RECONCILED_REQUESTS) expect(reconciliation).toBeDefined();
    if (reconciliation) {
      expect(reconciliation.findings.map(({ kind }) => kind)).toContain('run_killed');
      expect(reconciliation.requests!.client).toBeLessThanOrEqual(lines.length);
    }
    const { summary } = JSON.parse(readText(folder, 'server_metrics_export.json'));
    expect(summary.was_cancelled).toBe(true);
  });
});

describe.each([
  {
    variant: 'with server metrics',
    options: ['--warmup-request-count', '4'],
    prefix: 'profile_export',
    exportCount: 8,
    invalidLine: 45,
  },
  {
    variant: 'without server metrics',
    options: ['--no-server-metrics', '--profile-export-prefix', 'p'],
    prefix: 'p',
    exportCount: 5,
    invalidLine: 41,
  },
])('a run $variant whose journal is kept', ({ variant, options, prefix, exportCount, invalidLine }) => {
  const folder = join(root, `kept ${variant}`);
  const requests = join(folder, `${prefix}.jsonl`);
  const document = prefix === 'p' ? 'p.json' : 'profile_export_aiperf.json';
  let texts = new Map<string, string>();
  beforeAll(async () => {
    const target = ['--model', MODEL, '--url', url, '--artifact-dir', folder, '--request-count', '40'];
    const args = ['profile', ...target, ...LOAD, ...ALL_METRICS, '--keep-journal', ...options];
    const { code, err } = await runServelens(args, { cwd: root, env: FAST_SCRAPES });
    expect(code, err).toBe(0);
    // inputs.json cannot be recovered.
    const names = readdirSync(folder).filter(name => /(?<!^inputs)\.(?:json|csv)$/.test(name));
    texts = new Map(names.map(name => [name, readText(folder, name)]));
    for (const name of names) rmSync(join(folder, name));
  });

  test('recovers the same exports, except for the field `recovered`', async () => {
    expect(texts.size).toBe(exportCount);
    await recover(folder);
    for (const [name, text] of texts) {
      const recovered = readText(folder, name);
      if (!recovered.includes('"recovered"')) expect(recovered, name).toBe(text);
      else
        expect(
          recovered.replace(
            /,\n {2}"recovered": \{\n {4}"requests": 40,\n {4}"lines_dropped": 0\n {2}\}/,
            '',
          ),
        ).toBe(text);
    }
    expect(texts.get(document)).toMatch(/"was_cancelled": false/);
  });

  test('writes no exports if the requests cannot be read', async () => {
    renameSync(requests, `${requests}.aside`);
    mkdirSync(requests);
    const { code, err } = await runServelens(['recover', folder], { cwd: folder });
    expect(code).toBe(2);
    expect(err).toContain(`cannot read ${requests}: is a folder, not a file`);
    rmSync(requests, { recursive: true });
    renameSync(`${requests}.aside`, requests);
  });

  test('reports and drops a truncated line', async () => {
    appendFileSync(requests, readFileSync(requests, 'utf8').slice(0, 200));
    expect(await recover(folder)).toMatch(
      new RegExp(`skipped line ${invalidLine} of p\\w*\\.jsonl: .*the line is incomplete`),
    );
    expect(JSON.parse(readText(folder, document)).recovered).toEqual({ requests: 40, lines_dropped: 1 });
  });
});

test('a run that is killed after its load ended is recovered completely', async () => {
  const folder = join(root, 'load ended');
  const journal = join(folder, 'server_metrics.journal');
  const hasLoadEnded = (): boolean =>
    existsSync(journal) && readFileSync(journal, 'latin1').includes(LOAD_MARK.ended);
  await killProfile(url, folder, [...LOAD, ...ALL_METRICS, '--request-count', '20'], hasLoadEnded, {
    AIPERF_SERVER_METRICS_COLLECTION_FLUSH_PERIOD: '30',
  });
  await recover(folder);
  expect(await findErrors(folder)).toEqual([]);
  const { document, slices } = await readClientExports(folder);
  expect(document).toMatchObject({ was_cancelled: false, load_generator: { stop_reason: 'requests' } });
  expect(document.load_generator!.warnings).toBeDefined();
  expect(document.reconciliation!.findings.map(({ kind }) => kind)).not.toContain('run_killed');
  expectStatistics(document, readLines(folder));
  expect(slices!.timeslices.length).toBeGreaterThan(0);
  const { summary } = JSON.parse(readText(folder, 'server_metrics_export.json'));
  expect(summary.was_cancelled).toBe(false);
});

test('keeps the requests of an earlier run whose journal exists, and recovers them', async () => {
  const folder = join(root, 'two runs');
  const target = ['--model', MODEL, '--url', url, '--artifact-dir', folder, '--no-server-metrics'];
  let log = '';
  for (const count of ['5', '6']) {
    const args = ['profile', ...target, ...LOAD, '--request-count', count, '--keep-journal'];
    const { code, err } = await runServelens(args, { cwd: root, env: FAST_SCRAPES });
    expect(code, err).toBe(0);
    log += err;
  }
  expect(log).toContain('as profile.requests.jsonl');
  const earlier = ['profile.journal', 'profile.requests.jsonl'];
  expect(readdirSync(folder)).toEqual(expect.arrayContaining([...earlier, 'profile-2.journal']));
  const conflict = await runServelens(['recover', join(folder, 'profile.journal')], { cwd: folder });
  expect(conflict.code).toBe(2);
  expect(conflict.err).toMatch(/contains the exports of a later run, which would be overwritten; first move/);
  const moved = join(root, 'earlier run');
  mkdirSync(moved);
  for (const name of earlier) renameSync(join(folder, name), join(moved, name));
  await recover(moved);
  expect(JSON.parse(readText(moved, 'profile_export_aiperf.json')).recovered.requests).toBe(5);
  await recover(folder);
  expect(JSON.parse(readText(folder, 'profile_export_aiperf.json')).recovered.requests).toBe(6);
});
