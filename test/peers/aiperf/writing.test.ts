import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describePeer, selectCases } from '../support/peer.ts';
import { servelens } from '../support/servelens.ts';
import { MODEL, withSimulator } from '../support/simulator.ts';
import { Aiperf } from './aiperf.ts';

/** A run of Servelens whose files other programs read. */
interface Case {
  readonly title: string;
  readonly isInMatrix: boolean;
  /** Options of `servelens simulate`. */
  readonly server: readonly string[];
  /** Options of `servelens profile`. */
  readonly args: readonly string[];
  /** Number of requests of the warm-up and of profiling. */
  readonly requests: number;
  readonly errors?: boolean;
  /** Whether the models of AIPerf must know every field. */
  readonly isExact?: boolean;
}

const CHAT = ['--endpoint-type', 'chat', '--streaming', '--isl', '200', '--osl', '24', '--concurrency', '4'];
const EVERYTHING = [
  ...[...CHAT, '--request-count', '30', '--warmup-request-count', '6', '--slice-duration', '1'],
  ...['--goodput', 'time_to_first_token:60', 'request_latency:450'],
];

const CASES: readonly Case[] = [
  {
    title: 'with a warm-up, goodput and timeslices',
    isInMatrix: true,
    server: ['--seed', '7'],
    args: EVERYTHING,
    requests: 36,
  },
];

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
  readonly x: readonly number[];
  readonly y: readonly number[];
}

interface Table {
  readonly rows: number;
  readonly columns: Readonly<Record<string, unknown>>;
}

interface RequestRecord {
  readonly metrics: Readonly<Record<string, { readonly value: number }>>;
}

describePeer('aiperf', 'AIPerf and Python libraries read a folder of Servelens', peer => {
  const aiperf = new Aiperf(peer);
  afterAll(() => rmSync(aiperf.folder, { recursive: true }));

  describe.each(selectCases(CASES))('$title', ({ title, server, args, requests, isExact = false }) => {
    const folder = join(aiperf.folder, title.replaceAll(' ', '-'));
    let files: readonly string[];

    beforeAll(async () => {
      const common = ['--model', MODEL, '--tokenizer', aiperf.tokenizer, '--random-seed', '1'];
      const formats = ['--server-metrics-formats', 'json', 'csv', 'jsonl', 'parquet'];
      await withSimulator(server, url =>
        servelens('profile', ...common, ...args, ...formats, '--url', url, '--artifact-dir', folder),
      );
      files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    });

    test("AIPerf's models accept every file, and find our figures", async () => {
      const results = (await aiperf.runScript('validate_models.py', [folder])) as Record<string, ModelResult>;
      expect(Object.values(results).filter(({ error }) => error !== undefined)).toEqual([]);
      expect(Object.keys(results)).toEqual(
        expect.arrayContaining(files.filter(file => file.endsWith('profile_export_aiperf.json'))),
      );
      for (const [file, { figures }] of Object.entries(results))
        if (basename(file) === 'profile_export_aiperf.json') expect(figures, file).toEqual(readMetrics(file));
      expect(results['profile_export.jsonl']!.documents).toBe(requests);
      if (isExact) expect(Object.values(results).flatMap(({ unknown }) => unknown)).toEqual([]);
    });

    test('aiperf plot draws our requests and timeslices', async () => {
      const plots = (await aiperf.runScript('draw_figures.py', [folder])) as Record<string, readonly Trace[]>;
      const [latencies] = plots['ttft_over_time.png']!;
      expect(latencies!.y.toSorted()).toEqual(
        readRequests()
          .map(({ metrics }) => metrics.time_to_first_token!.value)
          .toSorted(),
      );
      const timeslices = plots['timeslices_ttft.png']!.find(({ name }) => name === 'Timeslice Average')!;
      const means = readTimeslices().map(({ time_to_first_token }) => time_to_first_token!.avg);
      expect(timeslices.y).toEqual(means.map(mean => expect.closeTo(mean, 1)));
      // The middle of each timeslice of 1 s.
      expect(timeslices.x).toEqual(means.map((_, index) => index + 0.5));
    });

    test('aiperf analyze swim-lane draws every request', async () => {
      const output = join(folder, 'swim-lane.png');
      await aiperf.run(['analyze', 'swim-lane', folder, '--out', output, '--html']);
      expect(readFileSync(output).subarray(1, 4).toString()).toBe('PNG');
      const page = output.replace('.png', '.html');
      expect(readSwimLanes(page).flatMap(({ turns }) => turns)).toHaveLength(requests);
      for (const file of [output, page]) rmSync(file);
    });

    test('pandas, pyarrow, Polars, DuckDB and fastparquet read the same tables', async () => {
      type Tables = Readonly<Record<string, Readonly<Record<string, readonly Table[]>>>>;
      const tables = (await aiperf.runScript('read_tables.py', [folder])) as Tables;
      expect(Object.keys(tables).sort()).toEqual(
        files.filter(file => /\.(json|jsonl|csv|parquet)$/.test(file)).sort(),
      );
      for (const [file, libraries] of Object.entries(tables)) {
        const { pyarrow } = libraries;
        for (const [library, table] of Object.entries(libraries))
          expect(table, `${file}, ${library}`).toEqual(pyarrow);
        for (const { rows, columns } of pyarrow!)
          expect(rows * Object.keys(columns).length, file).toBeGreaterThan(0);
      }
      expect(tables['profile_export.jsonl']!.pyarrow![0]!.rows).toBe(requests);
      expect(Object.keys(tables['server_metrics_export.parquet']!).sort()).toEqual([
        'duckdb',
        'fastparquet',
        'pandas',
        'polars',
        'pyarrow',
      ]);
    });

    /** Returns the metrics of a profile export. */
    function readMetrics(file: string): unknown {
      const document = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Record<string, unknown>;
      return Object.fromEntries(
        Object.entries(document).filter(
          ([, value]) => typeof value === 'object' && value !== null && 'unit' in value,
        ),
      );
    }

    /** Returns the timeslices in which requests were measured. */
    function readTimeslices(): readonly Readonly<Record<string, { readonly avg: number }>>[] {
      const file = join(folder, 'profile_export_aiperf_timeslices.json');
      const { timeslices } = JSON.parse(readFileSync(file, 'utf8'));
      return timeslices.filter((timeslice: object) => 'time_to_first_token' in timeslice);
    }

    function readRequests(): RequestRecord[] {
      const lines = readFileSync(join(folder, 'profile_export.jsonl'), 'utf8').trim().split('\n');
      return lines.map(line => JSON.parse(line) as RequestRecord);
    }
  });
});

/** Returns the sessions in a page of `aiperf analyze swim-lane`, which contains them compressed as base64. */
function readSwimLanes(page: string): readonly { readonly turns: readonly unknown[] }[] {
  const texts = readFileSync(page, 'utf8').match(/[A-Za-z0-9+/=]{200,}/g) ?? [];
  const payload = texts.find(text => text.startsWith('H4sI'))!;
  return JSON.parse(gunzipSync(Buffer.from(payload, 'base64')).toString()).sessions;
}
