import { describe, expect, test } from 'vitest';
import { SERVER_KINDS } from '../../src/profiles/profile.ts';
import { Simulation } from '../../src/simulation.ts';
import type { SimulatorOptions } from '../../src/simulatorOptions.ts';
import { DEFAULT_WORKLOAD } from '../../src/traffic/workload.ts';
import { type ReadFamily, readExposition, sampleValue } from '../support/exposition.ts';
import { hasShared, readSharedBody } from '../support/shared.ts';

/** Runs a server under load, with waiting, running, preempted and aborted requests. */
function runUnderLoad(options: Partial<SimulatorOptions>): Simulation {
  const simulation = new Simulation({
    seed: 6,
    arrivalRate: 50,
    kvBlocks: 700,
    workload: { ...DEFAULT_WORKLOAD, abortShare: 0.1 },
    ...options,
  });
  simulation.advanceTo(20e9);
  return simulation;
}

function readPages(simulation: Simulation): Map<string, ReadFamily> {
  const text = simulation.pages.filter(page => page.format === 'text').map(page => page.read('').body);
  return new Map(text.flatMap(body => [...readExposition(body)]));
}

const cases = SERVER_KINDS.flatMap(kind => [1, 2].map(engines => ({ kind, engines })));

describe.each(cases)('$kind with $engines engines', options => {
  const simulation = runUnderLoad(options);
  const families = readPages(simulation);
  const truth = simulation.getTruth();

  test('every histogram equals the true observations', () => {
    const histograms = truth.histograms.filter(({ values }) => values.length > 0);
    expect(histograms.length).toBeGreaterThan(0);
    for (const { name, labels, values } of histograms) {
      const at = Object.fromEntries(labels);
      expect(sampleValue(families, `${name}_count`, at), name).toBe(values.length);
      expect(sampleValue(families, `${name}_sum`, at), name).toBe(
        values.reduce((sum, value) => sum + value, 0),
      );
      const buckets = families.get(name)!.samples.filter(sample => {
        return (
          sample.name === `${name}_bucket` && labels.every(([label, value]) => sample.labels[label] === value)
        );
      });
      for (const {
        labels: { le },
        value,
      } of buckets) {
        const bound = le === '+Inf' ? Number.POSITIVE_INFINITY : Number(le);
        expect(value, `${name} ${le}`).toBe(values.filter(observed => observed <= bound).length);
      }
    }
  });

  test('all requests are ended, running or waiting', () => {
    const unfinished = simulation.engines.reduce((sum, engine) => sum + engine.running + engine.waiting, 0);
    const arrived = simulation.engines.reduce((sum, engine) => sum + engine.submitted, 0);
    expect(truth.requests.length).toBe(arrived - unfinished);
    expect(truth.requests.some(({ finishReason }) => finishReason === 'abort')).toBe(true);
    expect(truth.requests.some(({ preemptions }) => preemptions > 0)).toBe(true);
  });

  test('the same seed gives the same bodies', () => {
    const again = runUnderLoad(options);
    for (const page of simulation.pages.filter(({ format }) => format === 'text')) {
      expect(again.getPage(page.name).read('').body).toBe(page.read('').body);
    }
  });
});

/** Counters and histogram counts of completed requests, and of generated tokens. */
test.each([
  ['vllm', 'vllm:e2e_request_latency_seconds_count', 'vllm:generation_tokens_total'],
  ['sglang', 'sglang:num_requests_total', 'sglang:generation_tokens_total'],
  ['trtllm', 'trtllm_e2e_request_latency_seconds_count', undefined],
  ['dynamo', 'dynamo_frontend_request_duration_seconds_count', 'dynamo_frontend_output_tokens_total'],
  ['triton', 'nv_inference_request_success', undefined],
] as const)('%s counts completed requests', (kind, served, tokens) => {
  const simulation = runUnderLoad({ kind });
  const families = readPages(simulation);
  const { requests } = simulation.getTruth();
  expect(sampleValue(families, served)).toBe(
    requests.filter(({ finishReason }) => finishReason !== 'abort').length,
  );
  if (!tokens) return;
  const ended = requests.reduce((sum, { outputTokens }) => sum + outputTokens, 0);
  expect(sampleValue(families, tokens)).toBeGreaterThanOrEqual(ended);
});

/** Families that documentation of the servers lists; counters without `_total`. */
const named = {
  vllm:
    'num_requests_running num_requests_waiting num_requests_waiting_by_reason engine_sleep_state kv_cache_usage_perc ' +
    'num_preemptions prefix_cache_hits prefix_cache_queries external_prefix_cache_hits external_prefix_cache_queries ' +
    'mm_cache_hits mm_cache_queries time_to_first_token_seconds e2e_request_latency_seconds inter_token_latency_seconds ' +
    'request_queue_time_seconds request_prefill_time_seconds request_decode_time_seconds ' +
    'request_prefill_kv_computed_tokens request_success prompt_tokens prompt_tokens_by_source prompt_tokens_cached ' +
    'generation_tokens',
  sglang:
    'num_running_reqs num_queue_reqs token_usage cache_hit_rate gen_throughput prompt_tokens generation_tokens ' +
    'time_to_first_token_seconds inter_token_latency_seconds e2e_request_latency_seconds queue_time_seconds ' +
    'per_stage_req_latency_seconds',
  trtllm:
    'time_to_first_token_seconds e2e_request_latency_seconds time_per_output_token_seconds request_queue_time_seconds ' +
    'request_prefill_time_seconds request_decode_time_seconds request_inference_time_seconds request_success ' +
    'prompt_tokens generation_tokens num_requests_running num_requests_waiting kv_cache_utilization kv_cache_hit_rate',
  dynamo:
    'frontend_active_requests frontend_inflight_requests frontend_queued_requests frontend_request_duration_seconds ' +
    'frontend_time_to_first_token_seconds frontend_inter_token_latency_seconds frontend_requests frontend_output_tokens ' +
    'frontend_input_sequence_tokens frontend_output_sequence_tokens component_requests ' +
    'component_request_duration_seconds component_inflight_requests component_gpu_cache_usage_percent',
  triton:
    'inference_request_success inference_request_failure inference_count inference_exec_count ' +
    'inference_pending_request_count inference_request_duration_us inference_queue_duration_us ' +
    'inference_first_response_histogram_ms gpu_utilization gpu_memory_used_bytes cache_num_hits_per_model ' +
    'cache_num_misses_per_model',
} as const;
const prefixes = {
  vllm: 'vllm:',
  sglang: 'sglang:',
  trtllm: 'trtllm_',
  dynamo: 'dynamo_',
  triton: 'nv_',
} as const;

test.each(SERVER_KINDS)('%s has the documented families', kind => {
  const families = readPages(runUnderLoad({ kind }));
  for (const name of named[kind].split(' ')) {
    const full = prefixes[kind] + name;
    expect(families.has(full) || families.has(`${full}_total`), full).toBe(true);
  }
});

/** Real bodies, and the families in which the simulated ones may differ. */
const real = [
  ['vllm', 'vllm-2026.txt', /^$/],
  ['dynamo', 'dynamo-frontend.txt', /^$/],
  ['dynamo', 'dynamo-component-vllm.txt', /^lmcache:|prefix_cache_hit_rate/],
  [
    'sglang',
    'dynamo-component-sglang.txt',
    /^dynamo_|spec_|swa_|mamba_|_prealloc|_transfer_|_inflight_queue|offline|engine_/,
  ],
  ['trtllm', 'dynamo-component-trtllm.txt', /^dynamo_/],
  ['triton', 'triton-summaries.txt', /nv_cache_|compute_(input|output)_summary/],
  ['triton', 'triton-tensorrtllm.txt', /runtime_memory|inflight_batcher|disaggregated/],
] as const;

test.skipIf(!hasShared).each(real)('%s has the types, labels and bounds of %s', (kind, file, unlike) => {
  const families = readPages(
    runUnderLoad({ kind, maxModelLen: file === 'dynamo-component-vllm.txt' ? 40960 : 8192, kvBlocks: 2600 }),
  );
  const theirs = readReal(readSharedBody(file));
  expect(theirs.size).toBeGreaterThan(5);
  for (const [name, { type, labels, bounds }] of theirs) {
    if (unlike.test(name)) continue;
    const ours = families.get(name);
    expect(ours, name).toBeDefined();
    expect(ours!.type, name).toBe(type);
    if (labels.size === 0) continue;
    const ourLabels = new Set(ours!.samples.flatMap(sample => Object.keys(sample.labels)));
    for (const label of labels) {
      // Labels that depend on the command line or the process are skipped.
      if (name === 'vllm:cache_config_info' || label === 'pid') continue;
      expect(ourLabels, `${name} ${label}`).toContain(label);
    }
    const ourBounds = ours!.samples.flatMap(({ labels: { le } }) => le ?? []);
    expect(new Set(ourBounds), name).toEqual(bounds);
  }
});

interface RealFamily {
  readonly type: string;
  readonly labels: Set<string>;
  readonly bounds: Set<string>;
}

function readReal(text: string): Map<string, RealFamily> {
  const families = new Map<string, RealFamily>();
  let current: RealFamily | undefined;
  for (const line of text.split('\n')) {
    const type = /^# TYPE (\S+) (\S+)/.exec(line);
    if (type) {
      current = { type: type[2]!, labels: new Set(), bounds: new Set() };
      families.set(type[1]!, current);
    } else if (line !== '' && !line.startsWith('#')) {
      for (const [, label, value] of line.matchAll(/[{,]([a-z_]+)="([^"]*)"/g)) {
        current!.labels.add(label!);
        if (label === 'le') current!.bounds.add(value!);
      }
    }
  }
  return families;
}
