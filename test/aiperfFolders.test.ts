import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { type CommandResult, runServelens } from './servelens.ts';

/** Pieces of folders that AIPerf 0.13.0 wrote. README.md describes each of them. */
const FOLDERS = join(import.meta.dirname, 'files/aiperf-0.13');

/** Folders of one run with the files of its client and its servers. */
const RUNS = ['single', 'new-york', 'failures', 'embeddings'];

/** Sweeps, with the path of their aggregate. */
const SWEEPS: readonly (readonly [string, string])[] = [
  ['sweep', 'sweep_aggregate/profile_export_aiperf_sweep.json'],
  ['sweep-repeats', 'aggregate/sweep_aggregate/profile_export_aiperf_sweep.json'],
];

type Stats = Readonly<Record<string, number | string>>;
type Metrics = Readonly<Record<string, Stats>>;

interface Summary {
  readonly profiling_start_ns: string;
  readonly profiling_end_ns: string;
  readonly servers: readonly {
    readonly name: string;
    readonly metrics: readonly { readonly name: string; readonly stats: Stats }[];
  }[];
}

interface Sweep {
  readonly per_combination_metrics: readonly {
    readonly parameters: Readonly<Record<string, number>>;
    readonly metrics: Metrics;
  }[];
}

test('the description names every folder', () => {
  const readme = readFileSync(join(FOLDERS, 'README.md'), 'utf8');
  const described = [...readme.matchAll(/^- `([\w-]+)`/gm)].map(([, name]) => name);
  const folders = readdirSync(FOLDERS).filter(name => name !== 'README.md');
  expect(described.toSorted()).toEqual(folders.toSorted());
});

test.each(readdirSync(FOLDERS).filter(name => name !== 'README.md'))(
  '%s: every file is valid',
  async name => {
    const { code, stdout } = await servelens('validate', '--strict', '--json', join(FOLDERS, name));
    const { files } = JSON.parse(stdout) as {
      readonly files: readonly { readonly issues: readonly unknown[] }[];
    };
    expect(files.flatMap(({ issues }) => issues)).toEqual([]);
    expect(files.length).toBeGreaterThan(0);
    expect(code).toBe(0);
  },
);

describe.each(RUNS)('%s', name => {
  const folder = join(FOLDERS, name);
  let summary: Summary;
  beforeAll(async () => {
    summary = JSON.parse((await servelens('read', 'summary', '--json', folder)).stdout);
  });

  test('the summary covers the profiling phase', () => {
    const text = readFileSync(join(folder, 'server_metrics_export.json'), 'utf8');
    // The times have too many digits for a number.
    const [, ranges] = /"phase_time_ranges": (\{[\s\S]*?\}\s*\})/.exec(text)!;
    const [, start, end] = /"profiling": \{\s*"start_ns": (\d+),\s*"end_ns": (\d+)/.exec(ranges!)!;
    expect(summary).toMatchObject({ profiling_start_ns: start, profiling_end_ns: end });
  });

  test("the summary has AIPerf's figures of the client", () => {
    const profile = readJson<Metrics>(folder, 'profile_export_aiperf.json');
    const client = summary.servers.find(server => server.name === 'Client')!;
    expect(client.metrics.length).toBeGreaterThan(0);
    for (const metric of client.metrics) {
      const { unit: _, ...expected } = profile[metric.name]!;
      expect(metric.stats, metric.name).toMatchObject(expected);
    }
  });
});

test.each(SWEEPS)("%s: the summary has AIPerf's figures of each variation", async (name, path) => {
  const folder = join(FOLDERS, name);
  const expected = readJson<Sweep>(folder, path).per_combination_metrics;
  const { stdout } = await servelens('read', 'summary', '--json', folder);
  const actual = (JSON.parse(stdout) as Sweep).per_combination_metrics;
  expect(actual.map(({ parameters }) => parameters)).toEqual(expected.map(({ parameters }) => parameters));
  for (const [index, { metrics }] of expected.entries())
    expect(actual[index]!.metrics.request_latency_p99!.mean).toBe(
      metrics.request_latency_p99?.mean ?? metrics.request_latency!.p99,
    );
});

test("repeats: the summary has AIPerf's intervals", async () => {
  const folder = join(FOLDERS, 'repeats');
  const { metrics } = readJson<{ readonly metrics: Metrics }>(
    folder,
    'aggregate/profile_export_aiperf_aggregate.json',
  );
  const { stdout } = await servelens('read', 'summary', '--json', folder);
  const actual = (JSON.parse(stdout) as { readonly metrics: Metrics }).metrics;
  const statistics = Object.keys(metrics);
  expect(statistics.length).toBeGreaterThan(0);
  for (const name of statistics) expect(actual[name], name).toMatchObject(metrics[name]!);
});

test.each([
  ['all-failed', /num_requests_running/],
  ['killed', /no\s+scrapes\s+of\s+the\s+profiling\s+phase/],
])('%s: the summary shows what was written, and says what is missing', async (name, text) => {
  const { stdout, code } = await servelens('read', 'summary', join(FOLDERS, name));
  expect(stdout).toMatch(text);
  expect(stdout).toContain('there is no summary of the requests');
  expect(code).toBe(0);
});

function servelens(...args: readonly string[]): Promise<CommandResult> {
  return runServelens(args);
}

function readJson<T>(...path: readonly string[]): T {
  const file = join(...path);
  if (!existsSync(file)) throw new Error(`${file} does not exist`);
  return JSON.parse(readFileSync(file, 'utf8')) as T;
}
