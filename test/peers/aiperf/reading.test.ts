import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { runServelens } from '../../servelens.ts';
import { readJson } from '../support/exports.ts';
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
  /** Prefix of the exports, by default that of AIPerf. */
  readonly prefix?: string;
  /** True if the run scraped no server. */
  readonly hasNoServer?: boolean;
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
  {
    title: 'with a prefix and texts',
    isInMatrix: false,
    server: ['--seed', '10'],
    args: [
      ...[
        ...CHAT,
        ...METRICS,
        '--request-count',
        '12',
        '--warmup-request-count',
        '4',
        '--slice-duration',
        '1',
      ],
      ...['--profile-export-prefix', 'mine', '--export-level', 'raw', '--export-outputs-json'],
    ],
    prefix: 'mine',
  },
  {
    title: 'without server metrics',
    isInMatrix: false,
    server: ['--seed', '12'],
    args: [...CHAT, '--request-count', '12', '--no-server-metrics'],
    hasNoServer: true,
  },
];

/** Several runs of AIPerf, and where it writes their figures. */
const MULTIPLE_RUNS = [
  {
    title: 'of a sweep',
    args: ['--concurrency', '1,2'],
    runs: ['concurrency_1', 'concurrency_2'],
    sweep: 'sweep_aggregate/profile_export_aiperf_sweep.json',
  },
  {
    title: 'of repeats',
    args: ['--concurrency', '2', '--num-profile-runs', '2'],
    runs: ['profile_runs/run_0001', 'profile_runs/run_0002'],
    aggregate: 'aggregate/profile_export_aiperf_aggregate.json',
  },
  {
    title: 'of a sweep with repeats',
    args: ['--concurrency', '1,2', '--num-profile-runs', '2'],
    runs: [1, 2].flatMap(trial => [1, 2].map(n => `profile_runs/trial_000${trial}/concurrency_${n}`)),
    sweep: 'aggregate/sweep_aggregate/profile_export_aiperf_sweep.json',
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

  describe.each(selectCases(CASES))('$title', ({ title, server, args, prefix, hasNoServer = false }) => {
    const names = prefix === undefined ? DEFAULT_NAMES : getNames(prefix);
    let folder: string;
    let profile: Profile;

    beforeAll(async () => {
      const name = title.replaceAll(/\W+/g, '-');
      folder = await withSimulator(server, url => aiperf.profile(name, url, args));
      profile = readJson<Profile>(folder, names.profile);
    });

    test('validate reports no issues', async () => {
      await expectValid(folder);
    });

    test("summary shows AIPerf's figures", async () => {
      await expectClientFigures(folder, profile);
    });

    test("check compares rules with AIPerf's figures", async () => {
      const p99 = Number(profile.request_latency!.p99);
      const rules = listRules(p99);
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
      await expectReport(folder);
    });

    test.skipIf(hasNoServer)('query reads every sample', async () => {
      const parquet = join(folder, names.parquet);
      const sql = 'SELECT count(*)::INT AS n FROM rows';
      const count = (path: string): Promise<unknown> =>
        servelensJson('read', 'query', path, sql, '--format', 'json');
      expect(await count(folder)).toEqual(await count(parquet));
      expect(await count(folder)).not.toEqual([{ n: 0 }]);
    });

    test.skipIf(hasNoServer)("export --window aiperf reproduces AIPerf's figures", async () => {
      const expected = readJson<ServerMetrics>(folder, names.serverMetrics);
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

    test.skipIf(hasNoServer)('export covers the profiling phase', async () => {
      const { summary } = await exportJsonl();
      const { start_ns, end_ns } = readJson<ServerMetrics>(folder, names.serverMetrics).summary
        .phase_time_ranges!.profiling!;
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
      const [file] = readdirSync(output);
      const metrics = readJson<ServerMetrics>(output, file!);
      rmSync(output, { recursive: true });
      return metrics;
    }
  });

  describe.runIf(inject('peers').isFull).each(MULTIPLE_RUNS)(
    '$title',
    ({ title, args, runs, sweep, aggregate }) => {
      let folder: string;
      beforeAll(async () => {
        const name = title.replaceAll(' ', '-');
        const options = [...CHAT.slice(0, -2), ...METRICS, ...args, '--request-count', '8'];
        folder = await withSimulator(['--seed', '4'], url => aiperf.profile(name, url, options));
      });

      test('validate reports no issues', async () => {
        await expectValid(folder);
      });

      test.runIf(sweep)("summary has AIPerf's figures of each variation", async () => {
        const expected = readJson<Sweep>(folder, sweep!).per_combination_metrics;
        const actual = (await servelensJson<Sweep>('read', 'summary', '--json', folder))
          .per_combination_metrics;
        expect(actual.map(({ parameters }) => parameters)).toEqual(
          expected.map(({ parameters }) => parameters),
        );
        for (const [index, { metrics }] of expected.entries())
          expect(actual[index]!.metrics.request_latency_p99!.mean).toBe(
            metrics.request_latency_p99?.mean ?? metrics.request_latency!.p99,
          );
      });

      test.runIf(aggregate)("summary has AIPerf's intervals", async () => {
        const { metrics } = readJson<{ readonly metrics: Profile }>(folder, aggregate!);
        const summary = await servelensJson<{ readonly metrics: Profile }>(
          'read',
          'summary',
          '--json',
          folder,
        );
        expect(Object.keys(metrics)).toContain('request_latency_p99');
        for (const [name, stats] of Object.entries(metrics))
          expect(summary.metrics[name], name).toMatchObject(stats);
      });

      test('report writes a page', async () => {
        await expectReport(folder);
      });

      test.each(runs)("%s: summary and check have AIPerf's figures", async run => {
        const profile = readJson<Profile>(folder, run, DEFAULT_NAMES.profile);
        await expectClientFigures(join(folder, run), profile);
        const rules = listRules(Number(profile.request_latency!.p99));
        await servelens('read', 'check', join(folder, run), ...rules.flatMap(rule => ['--assert', rule]));
      });

      test('compare finds no change between a run and itself', async () => {
        const [run] = runs;
        await servelens('read', 'compare', join(folder, run!), join(folder, run!), '--exit-code');
      });

      test('query reads the samples of all runs', async () => {
        const paths = runs.map(run => join(folder, run));
        const sql = 'SELECT count(*)::INT AS n, count(DISTINCT run)::INT AS runs FROM series';
        const [result] = await servelensJson<readonly { readonly n: number; readonly runs: number }[]>(
          ...['read', 'query', ...paths, sql, '--format', 'json'],
        );
        expect(result!.runs).toBe(runs.length);
      });
    },
  );

  describe.runIf(inject('peers').isFull)('in which all requests failed', () => {
    let folder: string;
    beforeAll(async () => {
      const args = [...CHAT, ...METRICS, '--request-count', '8'];
      folder = await withSimulator(['--max-model-len', '10'], url =>
        aiperf.profileFailing('failed', url, args),
      );
    });

    test('validate reports no issues', async () => {
      await expectValid(folder);
    });

    test('summary, report and compare show the server metrics', async () => {
      expect(await servelens('read', 'summary', folder)).toContain('num_requests_running');
      await expectReport(folder, 'num_requests_running');
      await servelens('read', 'compare', folder, folder, '--exit-code');
    });
  });

  async function expectReport(folder: string, text = 'Latency of requests'): Promise<void> {
    const page = join(aiperf.folder, 'report.html');
    await servelens('read', 'report', folder, '--output', page);
    expect(readFileSync(page, 'utf8')).toContain(text);
  }

  describe.runIf(inject('peers').isFull)('of a killed run', () => {
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

    test('summary, report and compare show what was written', async () => {
      expect(await servelens('read', 'summary', folder)).toContain('num_requests_running');
      await expectReport(folder, 'num_requests_running');
      await servelens('read', 'compare', folder, folder, '--exit-code');
    });
  });
});

/** Expects that no file of a folder has errors or, with --strict, warnings. */
async function expectValid(folder: string): Promise<void> {
  const { files } = await servelensJson<Validation>('validate', '--strict', '--json', folder);
  expect(files.length).toBeGreaterThan(3);
  expect(files.filter(({ issues }) => issues.length > 0)).toEqual([]);
}

/** Expects that the summary has the figures of a profile export. */
async function expectClientFigures(folder: string, profile: Profile): Promise<void> {
  const { servers } = await servelensJson<Summary>('read', 'summary', '--json', folder);
  const client = servers.find(({ name }) => name === 'Client')!;
  expect(client.metrics.map(({ name }) => name)).toContain('request_latency');
  for (const { name, stats } of client.metrics) {
    const { unit: _, ...expected } = profile[name]!;
    expect(stats, name).toMatchObject(expected);
  }
}

/** Returns rules that only a p99 of the latency near this value passes. */
function listRules(p99: number): string[] {
  return [`request_latency.p99 < ${p99 * 1.000001}`, `request_latency.p99 > ${p99 * 0.999999}`];
}

interface Names {
  readonly profile: string;
  readonly serverMetrics: string;
  readonly parquet: string;
}

const DEFAULT_NAMES: Names = {
  profile: 'profile_export_aiperf.json',
  serverMetrics: 'server_metrics_export.json',
  parquet: 'server_metrics_export.parquet',
};

/** Returns the names of exports with --profile-export-prefix. */
function getNames(prefix: string): Names {
  return {
    profile: `${prefix}.json`,
    serverMetrics: `${prefix}_server_metrics.json`,
    parquet: `${prefix}_server_metrics.parquet`,
  };
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
