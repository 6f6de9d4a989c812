import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describePeer } from '../support/peer.ts';
import { servelens } from '../support/servelens.ts';
import { MODEL, withSimulator } from '../support/simulator.ts';
import { Aiperf } from './aiperf.ts';

/** A slow server, so that latencies are long in comparison with the delays of the clients. */
const SERVER = ['--seed', '11', '--speed', '0.4'];
const REQUESTS = 12;
const OUTPUT_TOKENS = 20;
const ARGS = [
  ...['--endpoint-type', 'chat', '--streaming', '--custom-dataset-type', 'single_turn', '--concurrency', '1'],
  ...['--request-count', String(REQUESTS), '--server-metrics-formats', 'json'],
  ...['--extra-inputs', `max_tokens:${OUTPUT_TOKENS}`, '--extra-inputs', 'ignore_eos:true'],
];

/** Metrics that the inputs and the server determine: both programs must report the same values. */
const EXACT = ['request_count', 'input_sequence_length', 'output_sequence_length', 'total_isl', 'total_osl'];
/** Statistics of these metrics. AIPerf divides the variance by n, Servelens by n - 1. */
const EXACT_STATS = ['avg', 'min', 'max', 'p1', 'p50', 'p90', 'p99', 'count', 'sum'];

/**
 * Metrics that also depend on the clients and on the load of the machine. Their medians may differ by this share of
 * the value, and in addition by this time.
 */
const MEASURED = ['time_to_first_token', 'request_latency', 'inter_token_latency'];
const MAX_RELATIVE_DIFFERENCE = 0.25;
const MAX_DIFFERENCE_MS = 100;

/** Counters of the server that increase with each request. */
const COUNTERS = ['vllm:request_success', 'vllm:prompt_tokens', 'vllm:generation_tokens'];

type Profile = Readonly<Record<string, Readonly<Record<string, number>>>>;

interface ServerMetrics {
  readonly metrics: Readonly<
    Record<string, { readonly series: readonly { readonly stats: { readonly total: number } }[] }>
  >;
}

describePeer('aiperf', 'AIPerf and Servelens in the same experiment', peer => {
  const aiperf = new Aiperf(peer);
  const folders: { aiperf: string; servelens: string } = { aiperf: '', servelens: '' };
  let profiles: { aiperf: Profile; servelens: Profile };
  afterAll(() => rmSync(aiperf.folder, { recursive: true }));

  beforeAll(async () => {
    const inputs = join(aiperf.folder, 'inputs.jsonl');
    writeFileSync(inputs, createPrompts());
    const args = [...ARGS, '--input-file', inputs];
    folders.aiperf = await withSimulator(SERVER, url => aiperf.profile('aiperf', url, args));
    folders.servelens = join(aiperf.folder, 'servelens');
    const options = ['--model', MODEL, '--tokenizer', aiperf.tokenizer, '--token-count', 'client'];
    await withSimulator(SERVER, url =>
      servelens('profile', ...args, ...options, '--url', url, '--artifact-dir', folders.servelens),
    );
    profiles = {
      aiperf: read(folders.aiperf, 'profile_export_aiperf'),
      servelens: read(folders.servelens, 'profile_export_aiperf'),
    };
  });

  test.each(EXACT)('report the same %s', name => {
    const expected = pick(profiles.aiperf[name]!, EXACT_STATS);
    expect(Object.keys(expected).length).toBeGreaterThan(0);
    for (const [statistic, value] of Object.entries(expected))
      expect(profiles.servelens[name]![statistic], statistic).toBeCloseTo(value, 9);
  });

  test('send all requests and report no errors', () => {
    for (const profile of Object.values(profiles)) {
      expect(profile.request_count!.avg).toBe(REQUESTS);
      expect(profile.error_request_count?.avg ?? 0).toBe(0);
    }
  });

  test.each(MEASURED)('report a similar %s', name => {
    const [expected, actual] = [profiles.aiperf[name]!.p50!, profiles.servelens[name]!.p50!];
    expect(Math.abs(actual - expected), `${actual} ms and ${expected} ms`).toBeLessThan(
      MAX_RELATIVE_DIFFERENCE * expected + MAX_DIFFERENCE_MS,
    );
  });

  test.each(COUNTERS)('report the same total of %s', name => {
    const [expected, actual] = [folders.aiperf, folders.servelens].map(folder =>
      sumTotals(read<ServerMetrics>(folder, 'server_metrics_export'), name),
    );
    expect(actual).toBe(expected);
    expect(actual).toBeGreaterThanOrEqual(REQUESTS);
  });
});

/** Creates prompts of different lengths. */
function createPrompts(): string {
  const prompts = Array.from({ length: REQUESTS }, (_, index) => ({
    text: `Prompt ${index}: ${'count the words of this sentence. '.repeat(index + 1)}`,
  }));
  return prompts.map(prompt => `${JSON.stringify(prompt)}\n`).join('');
}

function read<T = Profile>(folder: string, name: string): T {
  return JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as T;
}

function pick(stats: Readonly<Record<string, number>>, names: readonly string[]): Record<string, number> {
  return Object.fromEntries(Object.entries(stats).filter(([name]) => names.includes(name)));
}

function sumTotals({ metrics }: ServerMetrics, name: string): number {
  return metrics[name]!.series.reduce((sum, { stats }) => sum + stats.total, 0);
}
