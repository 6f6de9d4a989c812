import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Reconciliation, ServerMetricsDocument } from '@org/formats';
import { parseJson } from '@org/formats/read';
import { builtInServers } from '@org/servers';
import { expect, test } from 'vitest';
import { reconcile } from '../../src/reconciliation/reconcile.ts';
import type { ClientSide } from '../../src/reconciliation/reconciledCounts.ts';
import { countServedTokens } from '../../src/reconciliation/serverTokens.ts';
import { createClient } from './sides.ts';

/** Runs of real servers, reduced to the metrics that are compared; the README in it says how they were made. */
const FOLDER = join(import.meta.dirname, '../files/reconciliation');

interface RecordedRun {
  readonly document: ServerMetricsDocument;
  readonly blocks: ClientSide['blocks'];
}

function readRun(name: string): RecordedRun {
  const read = (file: string): unknown => parseJson(readFileSync(join(FOLDER, name, file), 'utf8')).value;
  return {
    document: read('server_metrics_export.json') as ServerMetricsDocument,
    blocks: read('profile_export_aiperf.json') as ClientSide['blocks'],
  };
}

function reconcileRun({ document, blocks }: RecordedRun): Reconciliation {
  const client = createClient({ blocks, succeeded: blocks.request_count!.avg! });
  return reconcile(client, { document, mixedEndpoints: [] }, builtInServers)!;
}

/** Multiplies the counters of a metric. */
function scale(run: RecordedRun, name: string, factor: number): RecordedRun {
  const metric = run.document.metrics[name]!;
  const series = (metric.series as readonly { readonly stats: { readonly total: number } }[]).map(entry => ({
    ...entry,
    stats: { ...entry.stats, total: entry.stats.total * factor },
  }));
  const metrics = { ...run.document.metrics, [name]: { ...metric, series } };
  return { ...run, document: { ...run.document, metrics } as ServerMetricsDocument };
}

test('llama.cpp counts the tokens of the client, with those from its cache, and no requests', () => {
  const run = readRun('llama.cpp');
  const reconciliation = reconcileRun(run);
  expect(reconciliation).toEqual({
    server: 'llama.cpp',
    prompt_tokens: { client: 29_412, server: 29_412, difference: 0, client_source: 'usage' },
    generation_tokens: { client: 2000, server: 2000, difference: 0, client_source: 'usage' },
    latencies: [],
    findings: [],
  });
  expect(countServedTokens({ document: run.document, catalog: builtInServers })).toEqual({
    requests: undefined,
    inputTokens: 29_412,
    outputTokens: 2000,
  });
});

test('the SGLang router counts the requests of the client, and llama.cpp behind it their tokens', () => {
  const run = readRun('sglang-router');
  expect(reconcileRun(run)).toMatchObject({
    server: 'SGLang router',
    requests: { client: 40, server: 40, difference: 0 },
    prompt_tokens: { client: 29_345, server: 29_345, difference: 0, counted_by: 'llama.cpp' },
    generation_tokens: { client: 2000, server: 2000, difference: 0, counted_by: 'llama.cpp' },
    findings: [],
  });
  expect(countServedTokens({ document: run.document, catalog: builtInServers })).toEqual({
    requests: 40,
    inputTokens: 29_345,
    outputTokens: 2000,
  });
});

test('the time that the SGLang router measures of streams is not compared, because it ends at their start', () => {
  const run = readRun('sglang-router');
  const [series] = run.document.metrics.smg_router_request_duration_seconds!.series as unknown as {
    readonly stats: { readonly avg: number };
  }[];
  expect(series!.stats.avg * 1000).toBeLessThan(0.5 * run.blocks.request_latency!.avg!);
  expect(reconcileRun(run).latencies).toEqual([]);
});

test('tokens of a server behind the frontend that differ are reported with its name', () => {
  const { findings } = reconcileRun(scale(readRun('sglang-router'), 'llamacpp:tokens_predicted', 0.5));
  expect(findings).toEqual([
    {
      kind: 'token_counts_differ',
      count: 1000,
      message:
        'generation tokens: llama.cpp counted 1000, the client 2000 (usage in the responses); check that all servers behind the frontend are scraped, and serve no other clients',
    },
  ]);
});

test('tokens are not compared if several kinds of servers behind a frontend counted them', () => {
  const run = readRun('sglang-router');
  const metrics = {
    ...run.document.metrics,
    'vllm:generation_tokens': run.document.metrics['llamacpp:tokens_predicted']!,
  };
  const { requests, prompt_tokens, generation_tokens } = reconcileRun({
    ...run,
    document: { ...run.document, metrics },
  });
  expect(requests?.difference).toBe(0);
  expect([prompt_tokens, generation_tokens]).toEqual([undefined, undefined]);
});
