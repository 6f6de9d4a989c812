import type { Engine } from '../engine/engine.ts';
import type { EngineObserver } from '../engine/observer.ts';
import type { Request } from '../engine/request.ts';
import { CPP_STYLE } from '../metrics/expositionStyle.ts';
import { getSeries, getSeriesByLabel, Registry } from '../metrics/registry.ts';
import { TRITON_FIRST_RESPONSE_BOUNDS } from './bucketBounds.ts';
import { createTextPage, type Profile, type ProfileContext, toSeconds } from './profile.ts';

/**
 * Creates the profile of Triton Inference Server with the TensorRT-LLM backend and with latency histograms and
 * summaries enabled. Counters have no suffix `_total`, durations are in microseconds, and metrics are served on
 * a second port.
 */
export function createTritonProfile(context: ProfileContext): Profile {
  const registry = new Registry(context);
  const model = { model: context.model, version: '1' };
  const families = declareFamilies(registry);
  const { failure, ...singleSeriesFamilies } = families;
  const series = getSeries(singleSeriesFamilies, model);
  const failures = getSeriesByLabel(failure, model, 'reason', ['REJECTED', 'CANCELED', 'BACKEND', 'OTHER']);
  for (const engine of context.engines) engine.observe(createObserver(series, failures.CANCELED));
  const refreshHost = declareHost(registry, context);
  const refreshBackend = declareBackend(registry, context, model);
  const refresh = (): void => {
    refreshHost();
    refreshBackend();
  };
  return {
    pages: [
      createTextPage({ name: 'metrics', path: '/metrics', port: 'side' }, registry, CPP_STYLE, refresh),
    ],
  };
}

/** Quantiles of all summaries. */
const QUANTILES = [0.5, 0.9, 0.95, 0.99, 0.999];

function declareFamilies(registry: Registry) {
  const declareCounter = (name: string, help: string) =>
    registry.counter(`nv_${name}`, help, { omitsTotal: true });
  const declareSummary = (name: string, help: string) =>
    registry.summary(`nv_inference_${name}_summary_us`, help, QUANTILES);
  return {
    success: declareCounter('inference_request_success', 'Successful requests'),
    failure: declareCounter('inference_request_failure', 'Failed requests by reason'),
    inferences: declareCounter('inference_count', 'Inferences, not including response cache hits'),
    executions: declareCounter('inference_exec_count', 'Batch executions'),
    requestUs: declareCounter('inference_request_duration_us', 'Total request duration in microseconds'),
    queueUs: declareCounter('inference_queue_duration_us', 'Total queue time in microseconds'),
    inputUs: declareCounter(
      'inference_compute_input_duration_us',
      'Total time of input processing in microseconds',
    ),
    inferUs: declareCounter(
      'inference_compute_infer_duration_us',
      'Total time of model execution in microseconds',
    ),
    outputUs: declareCounter(
      'inference_compute_output_duration_us',
      'Total time of output processing in microseconds',
    ),
    pending: registry.gauge('nv_inference_pending_request_count', 'Requests waiting for execution'),
    firstResponse: registry.histogram(
      'nv_inference_first_response_histogram_ms',
      'Time from arrival to the first response in ms',
      TRITON_FIRST_RESPONSE_BOUNDS,
    ),
    requestSummary: declareSummary('request', 'Request duration in microseconds'),
    queueSummary: declareSummary('queue', 'Queue time in microseconds'),
    inferSummary: declareSummary('compute_infer', 'Time of model execution in microseconds'),
    cacheHits: declareCounter('cache_num_hits_per_model', 'Response cache hits'),
    cacheMisses: declareCounter('cache_num_misses_per_model', 'Response cache misses'),
  };
}

type Series = ReturnType<typeof getSeries<Omit<ReturnType<typeof declareFamilies>, 'failure'>>>;

function createObserver(series: Series, cancelled: { inc(): void }): EngineObserver {
  return {
    onArrival() {
      series.pending.value += 1;
    },
    onScheduled() {
      series.pending.value -= 1;
    },
    onToken(request, gapNs) {
      if (request.generated === 1) series.firstResponse.observe(Math.floor(gapNs / 1e6));
    },
    onFinished(request) {
      if (Number.isNaN(request.scheduledNs)) series.pending.value -= 1;
      if (request.finishReason === 'abort') cancelled.inc();
      else observeRequest(request, series);
    },
    onStep(step) {
      if (step.admitted > 0) series.executions.inc();
    },
  };
}

/** Records a request that has ended. Durations are rounded down to whole microseconds. */
function observeRequest(request: Request, series: Series): void {
  const requestUs = toMicroseconds(request.finishNs - request.arrivalNs);
  const queueUs = toMicroseconds(request.scheduledNs - request.arrivalNs);
  const inferUs = toMicroseconds(request.finishNs - request.scheduledNs);
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

function toMicroseconds(ns: number): number {
  return Math.floor(ns / 1e3);
}

/** Power draw of an idle GPU, and additional power draw at full load, in watts. */
const IDLE_WATTS = 90;
const LOAD_WATTS = 560;

/** Declares GPU and CPU metrics, with one GPU per engine. Returns a function that updates their values. */
function declareHost(registry: Registry, { engines, nowNs }: ProfileContext): () => void {
  const families = declareGpu(registry);
  const refreshers = engines.map(engine => {
    const gpu = { gpu_uuid: `GPU-00000000-0000-4000-8000-${String(engine.options.index).padStart(12, '0')}` };
    return observeGpu(engine, getSeries(families, gpu), nowNs);
  });
  const declareGauge = (name: string, help: string) => registry.gauge(`nv_${name}`, help).labels({});
  const cpu = declareGauge('cpu_utilization', 'CPU utilization (0.0-1.0)');
  declareGauge('cpu_memory_total_bytes', 'Total memory in bytes').set(270_000_000_000);
  declareGauge('cpu_memory_used_bytes', 'Used memory in bytes').set(41_000_000_000);
  return () => {
    for (const refresh of refreshers) refresh();
    const cpuUtilization = engines.reduce((sum, engine) => sum + 0.02 + engine.running / 1000, 0);
    cpu.set(Math.min(1, cpuUtilization));
  };
}

function declareGpu(registry: Registry) {
  const declareGauge = (name: string, help: string) => registry.gauge(`nv_gpu_${name}`, help);
  return {
    utilization: declareGauge('utilization', 'GPU utilization (0.0-1.0)'),
    total: declareGauge('memory_total_bytes', 'Total GPU memory in bytes'),
    used: declareGauge('memory_used_bytes', 'Used GPU memory in bytes'),
    power: declareGauge('power_usage', 'GPU power draw in watts'),
    limit: declareGauge('power_limit', 'GPU power limit in watts'),
    energy: registry.counter('nv_energy_consumption', 'Energy consumption since the start in joules', {
      omitsTotal: true,
    }),
  };
}

function observeGpu(
  engine: Engine,
  series: ReturnType<typeof getSeries<ReturnType<typeof declareGpu>>>,
  nowNs: () => number,
): () => void {
  const startNs = nowNs();
  let busySeconds = 0;
  const computeUtilization = (): number =>
    engine.running === 0 ? 0 : 0.6 + (0.39 * engine.running) / engine.options.maxRunning;
  engine.observe({
    onStep(step) {
      busySeconds += computeUtilization() * toSeconds(step.endNs - step.startNs);
    },
  });
  series.total.set(85_520_809_984);
  series.limit.set(700);
  return () => {
    const utilization = computeUtilization();
    series.utilization.set(Math.round(utilization * 100) / 100);
    series.used.set(77_000_000_000 + Math.round(1e8 * engine.kvUsage));
    series.power.set(Math.round((IDLE_WATTS + LOAD_WATTS * utilization) * 1000) / 1000);
    series.energy.value = IDLE_WATTS * toSeconds(nowNs() - startNs) + LOAD_WATTS * busySeconds;
  };
}

/**
 * Declares the metrics of the TensorRT-LLM backend: gauges of the batch and the cache, each with a label that
 * selects the quantity. Returns a function that updates their values.
 */
function declareBackend(
  registry: Registry,
  { engines, getTimeS }: ProfileContext,
  model: { model: string; version: string },
): () => void {
  const requests = registry.gauge('nv_trt_llm_request_metrics', 'Requests by state');
  const blocks = registry.gauge('nv_trt_llm_kv_cache_block_metrics', 'Cache blocks by state');
  const general = registry.gauge(
    'nv_trt_llm_general_metrics',
    'Number of iterations, and time of the report',
  );
  let iterations = 0;
  for (const engine of engines) engine.observe({ onStep: () => (iterations += 1) });
  const sum = (read: (engine: Engine) => number): number =>
    engines.reduce((total, engine) => total + read(engine), 0);
  const byRequest = getSeriesByLabel(requests, model, 'request_type', [
    'waiting',
    'context',
    'scheduled',
    'max',
    'active',
  ]);
  const byBlock = getSeriesByLabel(blocks, model, 'kv_cache_block_type', [
    'fraction',
    'tokens_per',
    'used',
    'free',
    'max',
  ]);
  const byGeneral = getSeriesByLabel(general, model, 'general_type', ['iteration_counter', 'timestamp']);
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
    byGeneral.timestamp.set(Math.floor(getTimeS()));
  };
}
