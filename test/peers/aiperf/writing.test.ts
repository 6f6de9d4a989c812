import { existsSync, readFileSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { runServelens } from '../../servelens.ts';
import { listFiles, readJson, readLines } from '../support/exports.ts';
import { describePeer, selectCases } from '../support/peer.ts';
import { MODEL, withSimulator } from '../support/simulator.ts';
import { countRows, listColumns, listTables, queryParquet, type Tables } from '../support/tables.ts';
import { Aiperf } from './aiperf.ts';
import { type Case, CHAT, type Compat, RUNS, TEXTS } from './writingCases.ts';

const PROFILE = 'profile_export_aiperf.json';
const AGGREGATE = 'profile_export_aiperf_aggregate.json';
const RECORDS = 'profile_export.jsonl';
const RAW_RECORDS = 'profile_export_raw.jsonl';
const TIMESLICES = 'profile_export_aiperf_timeslices.json';

/** Files that AIPerf reads without a model, and files that only people read. */
const WITHOUT_MODEL =
  /(^|\/)(\.aiperf_results_ready|outputs|phase_manifest|server_metrics|\w+_(aggregate|collated|sweep))\.json$/;

type Stats = Readonly<Record<string, number | string>>;
type Metrics = Readonly<Record<string, Stats>>;

/** Properties of one file, read with a model of AIPerf. */
interface ModelResult {
  readonly documents: number;
  readonly unknown: readonly string[];
  readonly figures: unknown;
  readonly error?: string;
}

/** Points of one trace of a plot. */
interface Trace {
  readonly name: string | null;
  readonly x: readonly (number | null)[];
  readonly y: readonly (number | null)[];
}

interface Plots {
  readonly figures: Readonly<Record<string, readonly Trace[]>>;
  readonly warnings: readonly string[];
  readonly runs: readonly {
    readonly folder: string;
    readonly model: string;
    readonly concurrency: number | null;
    readonly requests: number;
    readonly timeslices: number;
    readonly server_samples: number;
    readonly server_metrics: readonly string[];
    readonly metrics: Metrics;
  }[];
}

interface RequestRecord {
  readonly metrics: Metrics;
}

describePeer('aiperf', 'AIPerf and Python libraries read a folder of Servelens', peer => {
  const aiperf = new Aiperf(peer);
  afterAll(() => rmSync(aiperf.folder, { recursive: true }));

  /** Runs `servelens profile` with all formats, and returns the folder of its files. */
  async function profile(
    title: string,
    { server = [], args, code = 0 }: Pick<Case, 'server' | 'args' | 'code'>,
  ): Promise<string> {
    const folder = join(aiperf.folder, title.replaceAll(/\W+/g, '-'));
    const common = ['--model', MODEL, '--tokenizer', aiperf.tokenizer, '--random-seed', '1'];
    const formats = ['--server-metrics-formats', 'json', 'csv', 'jsonl', 'parquet'];
    const { code: actual, stderr } = await withSimulator(['--seed', '7', ...server], url =>
      runServelens(['profile', ...common, ...args, ...formats, '--url', url, '--artifact-dir', folder]),
    );
    expect(actual, stderr).toBe(code);
    return folder;
  }

  describe.each(selectCases(RUNS).map(run => [run.title, run] as const))(
    '%s',
    (title, { compat, ...run }) => {
      const { concurrencies, plots } = run;
      let folder: string;
      let files: readonly string[];
      /** Folders of the runs. */
      let runs: readonly string[];

      beforeAll(async () => {
        folder = await profile(title, { ...run, args: [...run.args, '--compat', compat] });
        files = listFiles(folder);
        runs = files.filter(file => basename(file) === RECORDS).map(dirname);
      });

      test("AIPerf's models accept every file, and find our figures", async () => {
        const results = (await aiperf.runScript('validate_models.py', [folder])) as Record<
          string,
          ModelResult
        >;
        expect(Object.entries(results).filter(([, { error }]) => error !== undefined)).toEqual([]);
        const documents = files.filter(file => /\.jsonl?$/.test(file) && !WITHOUT_MODEL.test(file));
        expect(Object.keys(results).sort()).toEqual(documents);
        for (const [file, { documents, figures }] of Object.entries(results)) {
          if (basename(file) === PROFILE) expect(figures, file).toEqual(readMetrics(folder, file));
          const lines = file.endsWith('.jsonl') ? readLines(folder, file).length : 1;
          expect(documents, file).toBe(lines);
        }
        if (compat === 'aiperf-0.13')
          expect(Object.entries(results).filter(([, { unknown }]) => unknown.length > 0)).toEqual([]);
      });

      test('aiperf plot draws our figures without dropping any', async () => {
        const result = (await aiperf.runScript('plot_runs.py', [folder])) as Plots;
        expect(result.warnings.filter(warning => !isExpectedWarning(warning))).toEqual([]);
        expect(result.runs.map(({ concurrency }) => concurrency).filter(Boolean)).toEqual(concurrencies);
        for (const { folder: name, ...loaded } of result.runs) {
          expect(loaded.metrics, name).toEqual(readPlottedMetrics(join(folder, name)));
          if (existsSync(join(folder, name, RECORDS))) expectLoadedRun(join(folder, name), loaded);
        }
        expect(Object.keys(result.figures).sort()).toEqual(
          plots
            .filter(plot => !plot.startsWith('timeslices') || readTimeslices(folder).length > 0)
            .toSorted(),
        );
        if ('ttft_over_time.png' in result.figures) expectRunPlots(folder, result.figures);
        if ('ttft_vs_throughput.png' in result.figures) expectSweepPlot(result);
      });

      test('aiperf analyze swim-lane draws every request', async () => {
        await aiperf.run(['analyze', 'swim-lane', ...runs.map(name => join(folder, name)), '--html']);
        for (const name of runs) {
          const [image, page] = ['png', 'html'].map(type => join(folder, name, `swim_lane.${type}`));
          expect(readFileSync(image!).subarray(1, 4).toString()).toBe('PNG');
          const turns = readSwimLanes(page!).flatMap(lane => lane.turns);
          expect(turns).toHaveLength(readLines(folder, name, RECORDS).length);
          for (const file of [image!, page!]) rmSync(file);
        }
      });

      test.runIf(run.args.includes('raw') && run.args.includes('chat'))(
        'aiperf analyze turn-messages shows every prompt',
        async () => {
          const page = join(aiperf.folder, 'turns.html');
          await aiperf.run(['analyze', 'turn-messages', folder, '--out', page, '-n', '1000']);
          const { msgs } = (await aiperf.runScript('read_turns.py', [page])) as {
            readonly msgs: readonly { readonly body: string }[];
          };
          expect(new Set(msgs.map(({ body }) => body))).toEqual(listPrompts(folder));
        },
      );

      test('pandas, pyarrow, Polars, DuckDB and fastparquet read the same tables', async () => {
        const tables = (await aiperf.runScript('read_tables.py', [folder])) as Tables;
        expect(Object.keys(tables).sort()).toEqual(listTables(folder));
        for (const [file, { pyarrow, ...libraries }] of Object.entries(tables)) {
          for (const [library, table] of Object.entries(libraries))
            expect(table, `${file}, ${library}`).toEqual(pyarrow);
          expect(
            pyarrow!.map(({ rows }) => rows),
            file,
          ).toEqual(await countRows(folder, file));
          if (/\.jsonl?$/.test(file))
            expect(Object.keys(pyarrow![0]!.columns).sort(), file).toEqual(listColumns(folder, file));
          if (file.endsWith('.parquet')) {
            expect(Object.keys(libraries).sort()).toEqual(['duckdb', 'fastparquet', 'pandas', 'polars']);
            const { rows: _, ...sums } = await queryParquet(join(folder, file));
            for (const [name, sum] of Object.entries(sums))
              expect(pyarrow![0]!.columns[name]!.sum! / sum, `${file}, ${name}`).toBeCloseTo(1, 9);
          }
        }
      });
    },
  );

  describe.runIf(inject('peers').isFull)('with a prefix', () => {
    const PREFIX = 'mine';
    const args = [
      ...[...CHAT, ...TEXTS, '--concurrency', '4', '--request-count', '8', '--slice-duration', '1'],
      ...['--warmup-request-count', '4', '--profile-export-prefix', PREFIX],
    ];

    test.each<Compat>(['servelens', 'aiperf-0.13'])(
      "AIPerf's models find every file under its name, --compat %s",
      async compat => {
        const folder = await profile(`prefix ${compat}`, { args: [...args, '--compat', compat] });
        const files = listFiles(folder).filter(file => /\.jsonl?$/.test(file) && !WITHOUT_MODEL.test(file));
        const results = (await aiperf.runScript('validate_models.py', [folder, PREFIX])) as Record<
          string,
          ModelResult
        >;
        expect(Object.keys(results).sort()).toEqual(files);
        expect(Object.entries(results).filter(([, { error }]) => error !== undefined)).toEqual([]);
        expect(results[`${PREFIX}.json`]!.figures).toEqual(readMetrics(folder, `${PREFIX}.json`));
      },
    );
  });

  describe.runIf(inject('peers').isFull)('inputs.json', () => {
    test('aiperf profile sends the same requests again', async () => {
      const args = [...CHAT, '--concurrency', '2', '--request-count', '6', '--isl-stddev', '50'];
      const folder = await profile('inputs', { args });
      const inputs = ['--input-file', join(folder, 'inputs.json'), '--custom-dataset-type', 'inputs_json'];
      const options = [
        '--endpoint-type',
        'chat',
        '--streaming',
        '--concurrency',
        '2',
        '--request-count',
        '6',
      ];
      const again = await withSimulator([], url =>
        aiperf.profile('again', url, [...options, ...inputs, '--export-level', 'raw']),
      );
      expect(listPayloads(join(again, RAW_RECORDS))).toEqual(listInputs(join(folder, 'inputs.json')));
    });
  });
});

/**
 * Reports whether a warning of `aiperf plot` is correct: a plot that needs GPU telemetry or streaming, or timeslices in
 * which no request succeeded.
 */
function isExpectedWarning(warning: string): boolean {
  return (
    warning.startsWith('Skipping plot') ||
    warning.startsWith('Failed to generate timeslices') ||
    warning === 'No plots could be generated'
  );
}

function expectLoadedRun(folder: string, loaded: Omit<Plots['runs'][number], 'folder'>): void {
  expect(loaded.model).toBe(MODEL);
  expect(loaded.requests).toBe(readLines(folder, RECORDS).length);
  expect(loaded.timeslices).toBe(readTimeslices(folder).length);
  expect(loaded.server_samples).toBeGreaterThan(0);
  const { metrics } = readJson<{ readonly metrics: object }>(folder, 'server_metrics_export.json');
  expect(loaded.server_metrics).toEqual(Object.keys(metrics).sort());
}

/** Expects the points of the plots of a run with a time axis. */
function expectRunPlots(folder: string, figures: Plots['figures']): void {
  const latencies = readLines<RequestRecord>(folder, RECORDS).map(
    ({ metrics }) => metrics.time_to_first_token?.value,
  );
  const sort = (values: readonly unknown[]): unknown[] => values.filter(value => value != null).toSorted();
  expect(sort(figures['ttft_over_time.png']![0]!.y)).toEqual(sort(latencies));
  const timeslices = figures['timeslices_ttft.png']!.find(({ name }) => name === 'Timeslice Average')!;
  const means = readTimeslices(folder).map(({ time_to_first_token }) => time_to_first_token?.avg);
  // The middle of each timeslice of 1 s. Values have two decimals.
  const points = means.flatMap((mean, index) => (mean === undefined ? [] : [[index + 0.5, Number(mean)]]));
  expect(timeslices.x).toEqual(points.map(([x]) => x));
  expect(timeslices.y).toEqual(points.map(([, y]) => expect.closeTo(y!, 1)));
}

/** Expects a point for each variation of a sweep in the plot of its latency and throughput. */
function expectSweepPlot({ figures, runs }: Plots): void {
  const points = runs.map(({ metrics }) => [
    metrics.time_to_first_token!.p50,
    metrics.request_throughput!.avg,
  ]);
  const { x, y } = figures['ttft_vs_throughput.png']!.find(({ name }) => name === MODEL)!;
  expect(x.map((value, index) => [value, y[index]]).toSorted()).toEqual(points.toSorted());
}

/** Returns the metrics of a profile export. */
function readMetrics(...path: readonly string[]): Metrics {
  return Object.fromEntries(
    Object.entries(readJson(...path)).filter(
      ([, value]) => typeof value === 'object' && value !== null && 'unit' in value,
    ),
  ) as Metrics;
}

/** Returns the metrics of a run, or the mean of each statistic of an aggregate. */
function readPlottedMetrics(folder: string): Metrics {
  if (existsSync(join(folder, PROFILE))) return readMetrics(folder, PROFILE);
  const { metrics } = readJson<{ readonly metrics: Metrics }>(folder, AGGREGATE);
  const means: Record<string, Record<string, number | string>> = {};
  for (const [name, { mean, unit }] of Object.entries(metrics)) {
    const [, metric = name, statistic = 'avg'] = /^(.+)_(avg|min|max|std|count|sum|p\d+)$/.exec(name) ?? [];
    means[metric] ??= { unit: unit! };
    means[metric][statistic] = mean!;
  }
  return means;
}

/** Returns the timeslices of a run, or none if the folder has no such file. */
function readTimeslices(folder: string): readonly Metrics[] {
  if (!existsSync(join(folder, TIMESLICES))) return [];
  return readJson<{ readonly timeslices: readonly Metrics[] }>(folder, TIMESLICES).timeslices;
}

interface Payload {
  readonly messages: readonly { readonly content: string }[];
}

/** Returns the different prompts that were sent. */
function listPrompts(folder: string): Set<string> {
  const records = readLines<{ readonly payload: Payload }>(folder, RAW_RECORDS);
  return new Set(records.flatMap(({ payload }) => payload.messages.map(({ content }) => content)));
}

/** Returns the requests that were sent, as sorted texts. */
function listPayloads(path: string): string[] {
  return readLines<{ readonly payload: Payload }>(path)
    .map(({ payload }) => JSON.stringify(payload))
    .sort();
}

/** Returns the requests of inputs.json, as sorted texts. */
function listInputs(path: string): string[] {
  const { data } = readJson<{ readonly data: readonly { readonly payloads: readonly Payload[] }[] }>(path);
  return data.flatMap(({ payloads }) => payloads.map(payload => JSON.stringify(payload))).sort();
}

/** Returns the sessions in a page of `aiperf analyze swim-lane`, which contains them compressed as base64. */
function readSwimLanes(page: string): readonly { readonly turns: readonly unknown[] }[] {
  const texts = readFileSync(page, 'utf8').match(/[A-Za-z0-9+/=]{200,}/g) ?? [];
  const payload = texts.find(text => text.startsWith('H4sI'))!;
  return JSON.parse(gunzipSync(Buffer.from(payload, 'base64')).toString()).sessions;
}
