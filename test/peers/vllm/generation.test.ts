import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Service } from '../../service.ts';
import { readJson } from '../support/exports.ts';
import { describePeer } from '../support/peer.ts';
import { servelens, servelensJson } from '../support/servelens.ts';
import { writeModel } from './model.ts';
import { MODEL, START_TIMEOUT_MS, startVllm } from './server.ts';

const REQUESTS = 8;
const OUTPUT_TOKENS = 10;
/** Number of requests that the server processes at the same time. */
const BATCH_SIZE = 4;

/** The text APIs of vLLM, plain and streamed. */
const APIS = ['chat', 'completions', 'responses', 'messages'].flatMap(type => [
  { type, mode: 'streamed', args: ['--streaming'] },
  { type, mode: 'plain', args: ['--no-streaming'] },
]);

/** Metrics that only streams have. */
const STREAM_METRICS = ['time_to_first_token', 'inter_token_latency', 'inter_chunk_latency'];

interface Metric {
  readonly avg: number;
  readonly count?: number;
}

type Profile = Readonly<Record<string, Metric | undefined>> & { readonly reconciliation?: unknown };

interface Summary {
  readonly servers: readonly {
    readonly name: string;
    readonly metrics: readonly { readonly name: string }[];
  }[];
  readonly findings: readonly { readonly id: string; readonly severity: string }[];
}

/** Key metrics that every run of a text API has. */
const KEY_METRICS = ['vllm:num_requests_running', 'vllm:num_requests_waiting', 'vllm:kv_cache_usage_perc'];

describePeer('vllm', 'vLLM and text', peer => {
  const folder = mkdtempSync(join(tmpdir(), 'vllm-'));
  const model = join(folder, 'model');
  let server: Service;

  beforeAll(async () => {
    writeModel(model);
    server = await startVllm(peer, model, ['--max-num-seqs', String(BATCH_SIZE)], {
      path: '/v1/completions',
      body: { prompt: 'first', max_tokens: 2 },
    });
  }, 2 * START_TIMEOUT_MS);

  afterAll(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true });
  });

  /** Runs `servelens profile` into a folder, and returns its screen. */
  const profile = (name: string, ...args: readonly string[]): Promise<string> =>
    servelens(
      'profile',
      ...['--model', MODEL, '--url', server.url, '--tokenizer', model, '--artifact-dir', join(folder, name)],
      ...args,
    );

  describe.each(APIS)('$type, $mode', ({ type, mode, args }) => {
    const name = `${type}-${mode}`;

    test('every request succeeds, and the client and the server count the same requests and tokens', async () => {
      const lengths = ['--isl', '40', '--osl', String(OUTPUT_TOKENS)];
      const load = ['--request-count', String(REQUESTS), '--concurrency', String(BATCH_SIZE)];
      await profile(name, '--endpoint-type', type, ...args, ...lengths, ...load);
      const run = readJson<Profile>(folder, name, 'profile_export_aiperf.json');
      expect(run.request_count).toMatchObject({ avg: REQUESTS });
      expect(run.error_request_count?.avg ?? 0).toBe(0);
      expect(run.output_sequence_length).toMatchObject({ avg: OUTPUT_TOKENS });
      for (const metric of STREAM_METRICS) {
        if (mode === 'streamed') expect(run[metric]?.count, metric).toBeGreaterThanOrEqual(REQUESTS);
        else expect(run[metric], metric).toBeUndefined();
      }
      const counted = { difference: 0, client_source: 'usage' };
      expect(run.reconciliation).toMatchObject({
        server: 'vLLM',
        requests: { client: REQUESTS, server: REQUESTS, difference: 0 },
        prompt_tokens: { ...counted, server: run.total_usage_prompt_tokens?.avg },
        generation_tokens: { ...counted, server: REQUESTS * OUTPUT_TOKENS },
      });
    });

    test('the server is recognized, and its metrics have no problems', async () => {
      const { servers, findings } = await servelensJson<Summary>(
        'read',
        'summary',
        join(folder, name),
        '--json',
      );
      expect(servers.map(({ name: server }) => server)).toEqual(['vLLM', 'Client']);
      const metrics = servers[0]!.metrics.map(({ name: metric }) => metric);
      expect(metrics).toEqual(expect.arrayContaining(KEY_METRICS));
      expect(findings.filter(({ severity }) => severity === 'problem')).toEqual([]);
    });
  });

  test('a search finds the load at which the queue of the server reaches a limit', async () => {
    const limit = 'max(vllm:num_requests_waiting) < 5';
    const screen = await profile('queue-search', ...listSearchArgs('64'), '--search-sla', limit);
    const history = readJson(folder, 'queue-search', 'search_history.json');
    expect(history).toMatchObject({
      is_complete: true,
      boundary_summary: { infeasible_min: { first_breach: { limit } }, binding_constraint: limit },
    });
    // Just above the limit, the queue reaches 5 only at times, and a scrape may miss it.
    const { boundary_summary: boundary } = history as { boundary_summary: Boundary };
    expect(boundary.feasible_max.value).toBeLessThanOrEqual(BATCH_SIZE + 5);
    expect(boundary.infeasible_min.value).toBeGreaterThan(BATCH_SIZE);
    await expectEvidence('queue-search', screen, boundary, limit);
  });

  test('a search finds the load at which latencies reach a limit', async () => {
    await profile('one-request', ...listLoadArgs('64'), '--concurrency', '1', '--request-count', '8');
    const single = readJson<Profile>(folder, 'one-request', 'profile_export_aiperf.json');
    const limitMs = Math.round(3 * single.request_latency!.avg);
    const limit = ['--e2e-sla-ms', String(limitMs)];
    const screen = await profile('latency-search', ...listSearchArgs('64'), ...limit);
    const history = readJson<{ boundary_summary: Boundary }>(folder, 'latency-search', 'search_history.json');
    expect(history).toMatchObject({ is_complete: true, recipe: 'max-concurrency-under-sla' });
    await expectEvidence(
      'latency-search',
      screen,
      history.boundary_summary,
      `request_latency.p99 < ${limitMs}`,
    );
  });

  /** Expects the boundary and its limit on the screen and on the page. */
  async function expectEvidence(
    name: string,
    screen: string,
    boundary: Boundary,
    limit: string,
  ): Promise<void> {
    const { feasible_max: passed, infeasible_min: failed } = boundary;
    const result = `Highest concurrency within the limits: ${passed.value}; at ${failed.value}, the limit ${limit}`;
    expect(screen.replace(/\s+/g, ' ')).toContain(result);
    await servelens('read', 'report', join(folder, name), '--output', join(folder, `${name}.html`));
    const page = readFileSync(join(folder, `${name}.html`), 'utf8').replaceAll('&#60;', '<');
    expect(page).toContain(result);
  }
});

/** The values on both sides of the boundary of a search. */
interface Boundary {
  readonly feasible_max: { readonly value: number };
  readonly infeasible_min: { readonly value: number };
}

function listLoadArgs(outputTokens: string): string[] {
  return ['--endpoint-type', 'completions', '--streaming', '--isl', '20', '--osl', outputTokens];
}

function listSearchArgs(outputTokens: string): string[] {
  return [
    ...listLoadArgs(outputTokens),
    ...['--request-count', '40', '--search-recipe', 'max-concurrency-under-sla'],
    ...['--concurrency-min', '2', '--concurrency-max', '32'],
  ];
}
