import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describePeer, selectCases } from '../support/peer.ts';
import { servelens } from '../support/servelens.ts';
import { MODEL, withSimulator } from '../support/simulator.ts';
import { describeStructure } from '../support/structure.ts';
import { Aiperf } from './aiperf.ts';

/** Options with which both programs run, so that their files must have the same structure. */
interface Case {
  readonly title: string;
  readonly isInMatrix: boolean;
  readonly args: readonly string[];
}

const SYNTHETIC = ['--isl', '100', '--osl', '12', '--concurrency', '2', '--request-count', '12'];
const CHAT = ['--endpoint-type', 'chat', '--streaming', ...SYNTHETIC];
// The warm-up takes about a second, so that it contains scrapes.
const WARMUP = ['--warmup-request-count', '24'];
const EVERYTHING = ['--export-level', 'raw', '--export-outputs-json', '--slice-duration', '0.5'];

const CASES: readonly Case[] = [
  {
    title: 'streamed chat with a warm-up, timeslices and raw records',
    isInMatrix: true,
    args: [...CHAT, ...WARMUP, ...EVERYTHING],
  },
  { title: 'chat without streaming', isInMatrix: false, args: ['--endpoint-type', 'chat', ...SYNTHETIC] },
  {
    title: 'completions',
    isInMatrix: false,
    args: ['--endpoint-type', 'completions', '--streaming', ...SYNTHETIC],
  },
  {
    title: 'embeddings',
    isInMatrix: false,
    args: ['--endpoint-type', 'embeddings', '--isl', '100', '--concurrency', '2', '--request-count', '12'],
  },
  {
    title: 'a request rate and goodput',
    isInMatrix: false,
    args: [
      ...['--endpoint-type', 'chat', '--streaming', '--isl', '100', '--osl', '12', '--request-count', '12'],
      ...['--request-rate', '20', '--goodput', 'request_latency:450'],
    ],
  },
  {
    title: 'file names with a prefix',
    isInMatrix: false,
    args: [...CHAT, '--profile-export-prefix', 'mine'],
  },
  {
    title: 'repeated runs',
    isInMatrix: false,
    args: [...CHAT, '--num-profile-runs', '2'],
  },
  {
    title: 'a sweep',
    isInMatrix: false,
    args: [
      ...['--endpoint-type', 'chat', '--streaming', '--isl', '100', '--osl', '12', '--request-count', '12'],
      ...['--concurrency', '1,2'],
    ],
  },
];

/** Differences of the structure that docs/coming-from-aiperf.md describes, and fields that depend on the measurement. */
const EXPECTED: readonly RegExp[] = [
  // Written only by AIPerf.
  /^(?:.*\/)?logs\//,
  /\.runtime\.record_processors$/,
  // The configuration of one of several runs contains all defaults of AIPerf.
  /^(?:.*\/)?(?:profile_runs|concurrency_\d+)\/.*\.(?:input_config|cfg)\./,
  // The text to embed is a list, even if there is only one.
  /^inputs\.json \.data\[\]\.payloads\[\]\.input\[\]$/,
  // The names of headers are those that were sent.
  /_raw\.jsonl \.request_headers\./,
  // Servelens keeps its journal while the benchmark can be continued.
  /\.journal$/,
  // Present only if a request, a scrape or a slice has the value.
  /\.(?:time_to_second_token|output_token_throughput_per_user|inter_chunk_latency|inter_token_latency)(?:_|\b)/,
  /\.is_complete$/,
  /\.info\.median_update_interval_ms$|\.endpoint_info\..*\.(?:median_update_interval_ms|avg_update_interval_ms)$/,
  /server_metrics.*\.(?:metrics|warmup_metrics)\./,
  /_timeslices\.json \.timeslices\[\]\./,
];

describePeer('aiperf', "files of AIPerf and of Servelens with AIPerf's layout", peer => {
  const aiperf = new Aiperf(peer);
  afterAll(() => rmSync(aiperf.folder, { recursive: true }));

  describe.each(selectCases(CASES))('$title', ({ title, args }) => {
    const name = title.replaceAll(/[ ,]+/g, '-');
    const ours = join(aiperf.folder, `servelens-${name}`);
    let theirs: string;

    beforeAll(async () => {
      const server = ['--seed', '7'];
      theirs = await withSimulator(server, url => aiperf.profile(`aiperf-${name}`, url, args));
      const common = ['--model', MODEL, '--tokenizer', aiperf.tokenizer, '--random-seed', '1'];
      const layout = ['--compat', 'aiperf-0.13', '--no-gpu-telemetry', '--workers-max', '1'];
      await withSimulator(server, url =>
        servelens('profile', ...common, ...layout, ...args, '--url', url, '--artifact-dir', ours),
      );
    });

    test('have the same names, fields, headers and line ends', () => {
      const [expected, actual] = [describeStructure(theirs), describeStructure(ours)];
      expect(expected.size).toBeGreaterThan(200);
      const isUnexpected = (line: string): boolean => !EXPECTED.some(pattern => pattern.test(line));
      expect([...expected].filter(line => !actual.has(line)).filter(isUnexpected)).toEqual([]);
      expect([...actual].filter(line => !expected.has(line)).filter(isUnexpected)).toEqual([]);
    });

    test("AIPerf's BenchmarkConfig accepts our configuration", async () => {
      const results = (await aiperf.runScript('validate_configs.py', [ours])) as Record<
        string,
        string | null
      >;
      expect(Object.keys(results).length).toBeGreaterThan(1);
      expect(Object.entries(results).filter(([, error]) => error !== null)).toEqual([]);
    });
  });

  test("AIPerf's BenchmarkConfig rejects a configuration with an unknown field", async () => {
    const folder = join(aiperf.folder, 'invalid');
    mkdirSync(folder);
    writeFileSync(join(folder, 'x.json'), '{"input_config":{"servelens":1}}');
    expect(await aiperf.runScript('validate_configs.py', [folder])).toEqual({
      'x.json': expect.stringContaining('servelens'),
    });
  });
});
