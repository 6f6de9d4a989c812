import { readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { runServelens } from '../../servelens.ts';
import { describePeer, selectCases } from '../support/peer.ts';
import { servelens, servelensJson } from '../support/servelens.ts';
import { withSimulator } from '../support/simulator.ts';
import { Aiperf } from './aiperf.ts';

/** A run of AIPerf that Servelens reads. */
interface Case {
  readonly title: string;
  readonly isInMatrix: boolean;
  /** Options of `servelens simulate`. */
  readonly server: readonly string[];
  /** Options of `aiperf profile`. */
  readonly args: readonly string[];
}

const CHAT = ['--endpoint-type', 'chat', '--streaming', '--isl', '200', '--osl', '24', '--concurrency', '4'];
const METRICS = ['--server-metrics-formats', 'json', 'csv', 'jsonl', 'parquet'];
/** About a fifth of these prompts exceed the context length, and fail. */
const FAILURES = { server: ['--max-model-len', '105'], args: ['--isl-stddev', '80'] };

const CASES: readonly Case[] = [
  {
    title: 'with a warm-up, goodput, timeslices and failed requests',
    isInMatrix: true,
    server: ['--seed', '7', ...FAILURES.server],
    args: [
      ...[...CHAT, ...METRICS, ...FAILURES.args, '--request-count', '40', '--warmup-request-count', '6'],
      ...['--slice-duration', '1', '--goodput', 'time_to_first_token:60 request_latency:450'],
    ],
  },
  {
    title: 'of the completions API, without streaming',
    isInMatrix: false,
    server: ['--seed', '8'],
    args: [
      ...METRICS,
      '--endpoint-type',
      'completions',
      '--isl',
      '100',
      '--osl',
      '10',
      '--request-count',
      '20',
    ],
  },
  {
    title: 'of the embeddings API',
    isInMatrix: false,
    server: ['--seed', '9'],
    args: [...METRICS, '--endpoint-type', 'embeddings', '--isl', '100', '--request-count', '20'],
  },
];

type Stats = Readonly<Record<string, number | string>>;
type Profile = Readonly<Record<string, Stats>>;

interface Validation {
  readonly files: readonly { readonly file: string; readonly issues: readonly unknown[] }[];
}

interface Summary {
  readonly servers: readonly {
    readonly name: string;
    readonly metrics: readonly { readonly name: string; readonly stats: Stats }[];
  }[];
}

interface ServerMetrics {
  readonly summary: {
    readonly phase_time_ranges?: Readonly<
      Record<string, { readonly start_ns: number; readonly end_ns: number }>
    >;
  };
  readonly metrics: Readonly<
    Record<
      string,
      {
        readonly type: string;
        readonly series: readonly { readonly labels?: object; readonly stats?: Stats }[];
      }
    >
  >;
}

interface Sweep {
  readonly per_combination_metrics: readonly {
    readonly parameters: Readonly<Record<string, number>>;
    readonly metrics: Profile;
  }[];
}

describePeer('aiperf', 'Servelens reads a folder of AIPerf', peer => {
  const aiperf = new Aiperf(peer);
  afterAll(() => rmSync(aiperf.folder, { recursive: true }));

  describe.each(selectCases(CASES))('$title', ({ title, server, args }) => {
    let folder: string;
    let profile: Profile;

    beforeAll(async () => {
      const name = title.replaceAll(/\W+/g, '-');
      folder = await withSimulator(server, url => aiperf.profile(name, url, args));
      profile = readJson<Profile>(folder, 'profile_export_aiperf.json');
    });

    test('validate reports no issues', async () => {
      const { files } = await servelensJson<Validation>('validate', '--json', folder);
      expect(files.length).toBeGreaterThan(5);
      expect(files.filter(({ issues }) => issues.length > 0)).toEqual([]);
    });

    test("summary shows AIPerf's figures", async () => {
      const { servers } = await servelensJson<Summary>('read', 'summary', '--json', folder);
      const client = servers.find(({ name }) => name === 'Client')!;
      expect(client.metrics.map(({ name }) => name)).toContain('request_latency');
      for (const { name, stats } of client.metrics) {
        const { unit: _, ...expected } = profile[name]!;
        expect(stats, name).toMatchObject(expected);
      }
    });

    test("check compares rules with AIPerf's figures", async () => {
      const p99 = Number(profile.request_latency!.p99);
      const rules = [`request_latency.p99 < ${p99 * 1.000001}`, `request_latency.p99 > ${p99 * 0.999999}`];
      await servelens('read', 'check', folder, ...rules.flatMap(rule => ['--assert', rule]));
      const wrong = `request_latency.p99 < ${p99 * 0.999999}`;
      await expect(servelens('read', 'check', folder, '--assert', wrong)).rejects.toThrow('code 1');
    });

    test('compare finds no change between a run and itself', async () => {
      const output = await servelens('read', 'compare', folder, folder, '--all', '--json');
      expect(output).toContain('request_latency');
      await servelens('read', 'compare', folder, folder, '--exit-code');
    });

    test('report writes a page', async () => {
      const page = join(aiperf.folder, 'report.html');
      await servelens('read', 'report', folder, '--output', page);
      expect(readFileSync(page, 'utf8')).toContain('request_latency');
    });

    test('query reads every sample', async () => {
      const parquet = join(folder, 'server_metrics_export.parquet');
      const sql = 'SELECT count(*)::INT AS n FROM rows';
      const count = (path: string): Promise<unknown> =>
        servelensJson('read', 'query', path, sql, '--format', 'json');
      expect(await count(folder)).toEqual(await count(parquet));
      expect(await count(folder)).not.toEqual([{ n: 0 }]);
    });

    test("export --window aiperf reproduces AIPerf's figures", async () => {
      const expected = readServerMetrics(folder);
      const method = ['--percentile-method', 'polynomial'];
      const actual = await exportJsonl('--window', 'aiperf', ...method);
      const missing = listSeries(expected).filter(
        ({ key }) => !listSeries(actual).some(other => other.key === key),
      );
      // AIPerf does not write _info metrics to JSONL.
      expect(missing.filter(({ name }) => !name.endsWith('_info'))).toEqual([]);
      const actualStats = new Map(listSeries(actual).map(({ key, stats }) => [key, stats]));
      for (const { key, stats } of listSeries(expected).filter(series => !missing.includes(series)))
        for (const [statistic, value] of Object.entries(stats))
          expect(actualStats.get(key)![statistic], `${key} ${statistic}`).toSatisfy(
            createNearPredicate(Number(value)),
          );
      expect(actualStats.size).toBeGreaterThan(30);
    });

    test('export covers the profiling phase', async () => {
      const { summary } = await exportJsonl();
      const { start_ns, end_ns } = readServerMetrics(folder).summary.phase_time_ranges!.profiling!;
      expect(summary).toMatchObject({ profiling_start_ns: start_ns, profiling_end_ns: end_ns });
    });

    async function exportJsonl(...options: readonly string[]): Promise<ServerMetrics> {
      const output = join(aiperf.folder, 'exported');
      await servelens(
        'export',
        folder,
        '--from',
        'jsonl',
        '--formats',
        'json',
        '--output',
        output,
        ...options,
      );
      const metrics = readServerMetrics(output);
      rmSync(output, { recursive: true });
      return metrics;
    }
  });

  describe.runIf(inject('peers').isFull)('of a sweep', () => {
    let folder: string;
    beforeAll(async () => {
      const args = [...CHAT.slice(0, -2), ...METRICS, '--concurrency', '1,2', '--request-count', '10'];
      folder = await withSimulator(['--seed', '4'], url => aiperf.profile('sweep', url, args));
    });

    test('validate reports no issues', async () => {
      const { files } = await servelensJson<Validation>('validate', '--json', folder);
      expect(files.length).toBeGreaterThan(10);
      expect(files.filter(({ issues }) => issues.length > 0)).toEqual([]);
    });

    test("summary has AIPerf's figures of each variation", async () => {
      const sweep = readJson<Sweep>(folder, 'sweep_aggregate/profile_export_aiperf_sweep.json');
      const summary = await servelensJson<Sweep>('read', 'summary', '--json', folder);
      expect(summary.per_combination_metrics).toHaveLength(2);
      for (const [index, { parameters, metrics }] of sweep.per_combination_metrics.entries()) {
        const actual = summary.per_combination_metrics[index]!;
        expect(actual.parameters).toEqual(parameters);
        expect(actual.metrics.request_latency_p99!.mean).toBe(metrics.request_latency!.p99);
      }
    });
  });

  describe('of a killed run', () => {
    let folder: string;
    beforeAll(async () => {
      const args = [...CHAT, ...METRICS, '--request-count', '2000'];
      folder = await withSimulator(['--seed', '3'], url => aiperf.profileAndKill('killed', url, args, 5));
    });

    test('validate reads every file, of which only the last line may be incomplete', async () => {
      const { stdout } = await runServelens(['validate', '--json', folder]);
      const { files } = JSON.parse(stdout) as Validation;
      expect(files.map(({ file }) => basename(file))).toContain('profile_export.jsonl');
      for (const { file, issues } of files) expect(issues.length, file).toBeLessThanOrEqual(1);
    });

    test('summary shows what was written', async () => {
      expect(await servelens('read', 'summary', folder)).toContain('num_requests_running');
    });
  });
});

function readJson<T>(folder: string, name: string): T {
  return JSON.parse(readFileSync(join(folder, name), 'utf8')) as T;
}

function readServerMetrics(folder: string): ServerMetrics {
  return readJson(folder, 'server_metrics_export.json');
}

interface Series {
  /** Name and labels. */
  readonly key: string;
  readonly name: string;
  readonly stats: Stats;
}

function listSeries({ metrics }: ServerMetrics): Series[] {
  return Object.entries(metrics).flatMap(([name, { series }]) =>
    series.map(({ labels = {}, stats = {} }) => {
      const key = `${name} ${JSON.stringify(Object.entries(labels).sort())}`;
      return { key, name, stats };
    }),
  );
}

/** Returns a predicate with a tolerance for rounding. AIPerf computes a standard deviation of 5e-7 for some constants. */
function createNearPredicate(expected: number): (actual: unknown) => boolean {
  return actual =>
    typeof actual === 'number' && Math.abs(actual - expected) <= 1e-6 + 1e-9 * Math.abs(expected);
}
