import type { Engine } from '../engine/engine.ts';
import type { EngineObserver } from '../engine/observer.ts';
import type { Request } from '../engine/request.ts';
import { Registry } from '../metrics/registry.ts';
import { cppStyle } from '../metrics/style.ts';
import { tritonFirstResponse } from './buckets.ts';
import { eachFamily, eachValue } from './each.ts';
import { type Profile, type ProfileContext, seconds, textPage } from './profile.ts';

/**
 * Triton Inference Server with the TensorRT-LLM backend, latency histograms and summaries switched on: counters
 * without `_total`, durations in microseconds, and metrics on a port of their own.
 */
export function tritonProfile(context: ProfileContext): Profile {
  const registry = new Registry(context);
  const model = { model: context.model, version: '1' };
  const families = declare(registry);
  const { failure, ...plain } = families;
  const series = eachFamily(plain, model);
  const failures = eachValue(failure, model, 'reason', ['REJECTED', 'CANCELED', 'BACKEND', 'OTHER']);
  for (const engine of context.engines) engine.observe(observer(series, failures.CANCELED));
  const refreshHost = declareHost(registry, context);
  const refreshBackend = declareBackend(registry, context, model);
  const refresh = (): void => {
    refreshHost();
    refreshBackend();
  };
  return {
    pages: [textPage({ name: 'metrics', path: '/metrics', port: 'side' }, registry, cppStyle, refresh)],
  };
}

/** Those of the summaries. */
const quantiles = [0.5, 0.9, 0.95, 0.99, 0.999];

function declare(registry: Registry) {
  const counter = (name: string, help: string) => registry.counter(`nv_${name}`, help, { bare: true });
  const summary = (name: string, help: string) =>
    registry.summary(`nv_inference_${name}_summary_us`, help, quantiles);
  return {
    success: counter('inference_request_success', 'Requests that were served'),
    failure: counter('inference_request_failure', 'Requests that failed, by reason'),
    inferences: counter('inference_count', 'Inferences, without those from the response cache'),
    executions: counter('inference_exec_count', 'Executions of batches'),
    requestUs: counter('inference_request_duration_us', 'Time of all requests together, in microseconds'),
    queueUs: counter('inference_queue_duration_us', 'Wait of all requests together, in microseconds'),
    inputUs: counter('inference_compute_input_duration_us', 'Reading inputs, in microseconds'),
    inferUs: counter('inference_compute_infer_duration_us', 'Running the model, in microseconds'),
    outputUs: counter('inference_compute_output_duration_us', 'Writing outputs, in microseconds'),
    pending: registry.gauge('nv_inference_pending_request_count', 'Requests that wait for execution'),
    firstResponse: registry.histogram(
      'nv_inference_first_response_histogram_ms',
      'From arrival to the first response, in ms',
      tritonFirstResponse,
    ),
    requestSummary: summary('request', 'Requests, in microseconds'),
    queueSummary: summary('queue', 'Waits, in microseconds'),
    inferSummary: summary('compute_infer', 'Running the model, in microseconds'),
    cacheHits: counter('cache_num_hits_per_model', 'Answers that the response cache had'),
    cacheMisses: counter('cache_num_misses_per_model', 'Answers that the response cache did not have'),
  };
}

type Series = ReturnType<typeof eachFamily<Omit<ReturnType<typeof declare>, 'failure'>>>;

function observer(series: Series, cancelled: { inc(): void }): EngineObserver {
  return {
    arrived() {
      series.pending.value += 1;
    },
    scheduled() {
      series.pending.value -= 1;
    },
    token(request, gapNs) {
      if (request.generated === 1) series.firstResponse.observe(Math.floor(gapNs / 1e6));
    },
    finished(request) {
      if (Number.isNaN(request.scheduledNs)) series.pending.value -= 1;
      if (request.finishReason === 'abort') cancelled.inc();
      else observeRequest(request, series);
    },
    step(step) {
      if (step.admitted > 0) series.executions.inc();
    },
  };
}

/** Durations are counted in whole microseconds. */
function observeRequest(request: Request, series: Series): void {
  const requestUs = micros(request.finishNs - request.arrivalNs);
  const queueUs = micros(request.scheduledNs - request.arrivalNs);
  const inferUs = micros(request.finishNs - request.scheduledNs);
  series.success.inc();
  series.inferences.inc();
  series.cacheMisses.inc();
  series.requestUs.inc(requestUs);
  series.queueUs.inc(queueUs);
  series.inferUs.inc(inferUs);
  series.inputUs.inc(40 + Math.floor(request.spec.promptTokens / 8));
  series.outputUs.inc(30 + 2 * request.generated);
  series.requestSummary.observe(requestUs);
  series.queueSummary.observe(queueUs);
  series.inferSummary.observe(inferUs);
}

function micros(ns: number): number {
  return Math.floor(ns / 1e3);
}

/** Power of a GPU in watts: with nothing to do, and on top of that when fully busy. */
const idleWatts = 90;
const busyWatts = 560;

/** GPU and CPU, one GPU for each engine. */
function declareHost(registry: Registry, { engines, nowNs }: ProfileContext): () => void {
  const families = declareGpu(registry);
  const refreshers = engines.map(engine => {
    const gpu = { gpu_uuid: `GPU-00000000-0000-4000-8000-${String(engine.options.index).padStart(12, '0')}` };
    return observeGpu(engine, eachFamily(families, gpu), nowNs);
  });
  const gauge = (name: string, help: string) => registry.gauge(`nv_${name}`, help).labels({});
  const cpu = gauge('cpu_utilization', 'Busy part of the CPU, from 0.0 to 1.0');
  gauge('cpu_memory_total_bytes', 'Memory in bytes').set(270_000_000_000);
  gauge('cpu_memory_used_bytes', 'Used memory in bytes').set(41_000_000_000);
  return () => {
    for (const refresh of refreshers) refresh();
    const busy = engines.reduce((sum, engine) => sum + 0.02 + engine.running / 1000, 0);
    cpu.set(Math.min(1, busy));
  };
}

function declareGpu(registry: Registry) {
  const gauge = (name: string, help: string) => registry.gauge(`nv_gpu_${name}`, help);
  return {
    utilization: gauge('utilization', 'Busy part of the GPU, from 0.0 to 1.0'),
    total: gauge('memory_total_bytes', 'GPU memory in bytes'),
    used: gauge('memory_used_bytes', 'Used GPU memory in bytes'),
    power: gauge('power_usage', 'Power that the GPU draws, in watts'),
    limit: gauge('power_limit', 'Power that the GPU may draw, in watts'),
    energy: registry.counter('nv_energy_consumption', 'Energy since the start, in joules', { bare: true }),
  };
}

function observeGpu(
  engine: Engine,
  series: ReturnType<typeof eachFamily<ReturnType<typeof declareGpu>>>,
  nowNs: () => number,
): () => void {
  const startNs = nowNs();
  let busySeconds = 0;
  const busyPart = (): number =>
    engine.running === 0 ? 0 : 0.6 + (0.39 * engine.running) / engine.options.maxRunning;
  engine.observe({
    step(step) {
      busySeconds += busyPart() * seconds(step.endNs - step.startNs);
    },
  });
  series.total.set(85_520_809_984);
  series.limit.set(700);
  return () => {
    const busy = busyPart();
    series.utilization.set(Math.round(busy * 100) / 100);
    series.used.set(77_000_000_000 + Math.round(1e8 * engine.kvUsage));
    series.power.set(Math.round((idleWatts + busyWatts * busy) * 1000) / 1000);
    series.energy.value = idleWatts * seconds(nowNs() - startNs) + busyWatts * busySeconds;
  };
}

/** What the TensorRT-LLM backend tells of its batches and cache: all gauges, told apart by a label. */
function declareBackend(
  registry: Registry,
  { engines, clockS }: ProfileContext,
  model: { model: string; version: string },
): () => void {
  const requests = registry.gauge('nv_trt_llm_request_metrics', 'Requests by state');
  const blocks = registry.gauge('nv_trt_llm_kv_cache_block_metrics', 'Cache blocks by state');
  const general = registry.gauge('nv_trt_llm_general_metrics', 'Iterations, and when this was said');
  let iterations = 0;
  for (const engine of engines) engine.observe({ step: () => (iterations += 1) });
  const sum = (of: (engine: Engine) => number): number => engines.reduce((total, one) => total + of(one), 0);
  const byRequest = eachValue(requests, model, 'request_type', [
    'waiting',
    'context',
    'scheduled',
    'max',
    'active',
  ]);
  const byBlock = eachValue(blocks, model, 'kv_cache_block_type', [
    'fraction',
    'tokens_per',
    'used',
    'free',
    'max',
  ]);
  const byGeneral = eachValue(general, model, 'general_type', ['iteration_counter', 'timestamp']);
  byRequest.max.set(sum(engine => engine.options.maxRunning));
  byBlock.max.set(sum(engine => engine.pool.total));
  byBlock.tokens_per.set(engines[0]!.options.blockSize);
  return () => {
    byRequest.waiting.set(sum(engine => engine.waiting));
    byRequest.scheduled.set(sum(engine => engine.running));
    byRequest.active.set(sum(engine => engine.running + engine.waiting));
    byBlock.used.set(sum(engine => engine.pool.used));
    byBlock.free.set(byBlock.max.value - byBlock.used.value);
    byBlock.fraction.set(byBlock.used.value / byBlock.max.value);
    byGeneral.iteration_counter.set(iterations);
    byGeneral.timestamp.set(Math.floor(clockS()));
  };
}
