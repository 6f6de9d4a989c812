import type { Engine } from '../engine/engine.ts';
import type { EngineObserver } from '../engine/observer.ts';
import type { Request } from '../engine/request.ts';
import type { Step } from '../engine/step.ts';
import { PYTHON_MULTIPROCESS_STYLE } from '../metrics/expositionStyle.ts';
import {
  getSeries,
  getSeriesByLabel,
  type LabelValues,
  type MetricFamily,
  Registry,
} from '../metrics/registry.ts';
import type { Counter, Gauge } from '../metrics/series.ts';
import {
  SGLANG_FIRST_TOKEN_BOUNDS,
  SGLANG_INTER_TOKEN_BOUNDS,
  SGLANG_QUEUE_BOUNDS,
  SGLANG_REQUEST_BOUNDS,
  SGLANG_RETRACTION_BOUNDS,
  SGLANG_STAGE_BOUNDS,
} from './bucketBounds.ts';
import { createTextPage, type Profile, type ProfileContext, toSeconds } from './profile.ts';

/**
 * Creates the profile of SGLang (early 2026), whose metrics page combines several processes (Python
 * multiprocess mode).
 */
export function createSglangProfile(context: ProfileContext): Profile {
  const registry = new Registry(context);
  const scheduler = declareScheduler(registry);
  const tokenizer = declareTokenizer(registry);
  for (const engine of context.engines) {
    engine.observe(
      observeScheduler(engine, getSchedulerSeries(scheduler, getSchedulerLabels(context, engine))),
    );
    engine.observe(observeTokenizer(getSeries(tokenizer, { model_name: context.model })));
  }
  const page = createTextPage(
    { name: 'metrics', path: '/metrics', port: 'main' },
    registry,
    PYTHON_MULTIPROCESS_STYLE,
  );
  return { pages: [page] };
}

/** Returns the labels of a scheduler: its parallelism ranks and, with several engines, its data-parallel rank. */
function getSchedulerLabels({ engines, model }: ProfileContext, engine: Engine): LabelValues {
  return {
    model_name: model,
    engine_type: 'unified',
    tp_rank: '0',
    pp_rank: '0',
    moe_ep_rank: '0',
    ...(engines.length > 1 && { dp_rank: String(engine.options.index) }),
  };
}

function declareScheduler(registry: Registry) {
  const declareGauge = (name: string, help: string): MetricFamily<Gauge> =>
    registry.gauge(`sglang:${name}`, help);
  const declareCounter = (name: string, help: string): MetricFamily<Counter> =>
    registry.counter(`sglang:${name}`, help);
  return {
    stage: registry.histogram(
      'sglang:per_stage_req_latency_seconds',
      'Request duration by stage in seconds',
      SGLANG_STAGE_BOUNDS,
    ),
    queueTime: registry.histogram('sglang:queue_time_seconds', 'Queue time in seconds', SGLANG_QUEUE_BOUNDS),
    realtimeTokens: declareCounter('realtime_tokens', 'Tokens by processing mode, as of the last report'),
    graphPasses: declareCounter('cuda_graph_passes', 'Forward passes by use of a CUDA graph'),
    retracted: declareGauge('num_retracted_reqs', 'Requests returned to the queue'),
    paused: declareGauge('num_paused_reqs', 'Requests paused for a weight update'),
    running: declareGauge('num_running_reqs', 'Requests in the running batch'),
    usedTokens: declareGauge('num_used_tokens', 'Tokens in the KV cache'),
    tokenUsage: declareGauge('token_usage', 'Used share of the KV cache'),
    sequenceTokens: declareGauge('decode_sum_seq_lens', 'Total length of all decoding sequences in tokens'),
    throughput: declareGauge('gen_throughput', 'Generation throughput in tokens/s, as of the last report'),
    queued: declareGauge('num_queue_reqs', 'Waiting requests'),
    grammarQueued: declareGauge('num_grammar_queue_reqs', 'Requests waiting for their grammar'),
    hitRate: declareGauge('cache_hit_rate', 'Share of prompt tokens found in the prefix cache'),
    maxTokens: declareGauge('max_total_num_tokens', 'Capacity of the KV cache in tokens'),
    utilization: declareGauge('utilization', 'Utilization of the scheduler'),
    newTokenRatio: declareGauge('new_token_ratio', 'Share of future tokens for which memory is reserved'),
    isGraph: declareGauge('is_cuda_graph', 'Whether the batch runs in a CUDA graph'),
  };
}

function declareTokenizer(registry: Registry) {
  return {
    firstToken: registry.histogram(
      'sglang:time_to_first_token_seconds',
      'Time from arrival to the first token in seconds',
      SGLANG_FIRST_TOKEN_BOUNDS,
    ),
    interToken: registry.histogram(
      'sglang:inter_token_latency_seconds',
      'Time between two tokens of a request in seconds',
      SGLANG_INTER_TOKEN_BOUNDS,
    ),
    e2e: registry.histogram(
      'sglang:e2e_request_latency_seconds',
      'Time from arrival to the end of a request in seconds',
      SGLANG_REQUEST_BOUNDS,
    ),
    retractions: registry.histogram(
      'sglang:num_retractions',
      'Number of times that a request returned to the queue',
      SGLANG_RETRACTION_BOUNDS,
    ),
    promptTokens: registry.counter('sglang:prompt_tokens', 'Processed prompt tokens'),
    generationTokens: registry.counter('sglang:generation_tokens', 'Generated tokens'),
    cachedTokens: registry.counter('sglang:cached_tokens', 'Prompt tokens found in the prefix cache'),
    requests: registry.counter('sglang:num_requests', 'Completed requests'),
    aborted: registry.counter('sglang:num_aborted_requests', 'Requests whose client disconnected'),
  };
}

const STAGES = ['request_process', 'prefill_waiting', 'prefill_forward'] as const;
const MODES = ['prefill_compute', 'prefill_cache', 'decode'] as const;

function getSchedulerSeries(families: ReturnType<typeof declareScheduler>, labels: LabelValues) {
  const { stage, realtimeTokens, graphPasses, ...singleSeriesFamilies } = families;
  return {
    ...getSeries(singleSeriesFamilies, labels),
    stage: getSeriesByLabel(stage, labels, 'stage', STAGES),
    tokens: getSeriesByLabel(realtimeTokens, labels, 'mode', MODES),
    graphPasses: graphPasses.labels({ ...labels, mode: 'decode_cuda_graph' }),
  };
}

type SchedulerSeries = ReturnType<typeof getSchedulerSeries>;

/** Number of decode steps between two reports of the scheduler. */
const STEPS_PER_REPORT = 40;

function observeScheduler(engine: Engine, series: SchedulerSeries): EngineObserver {
  const report = createReport();
  series.maxTokens.set(engine.options.kvBlocks * engine.options.blockSize);
  series.newTokenRatio.set(0.7);
  return {
    onScheduled(request) {
      const queueTimeS = toSeconds(request.scheduledNs - request.queuedNs);
      series.queueTime.observe(queueTimeS);
      series.stage.request_process.observe(toSeconds(request.queuedNs - request.arrivalNs));
      series.stage.prefill_waiting.observe(queueTimeS);
      report.queried += request.spec.promptTokens;
      report.cached += request.cachedTokens;
    },
    onToken(request) {
      if (request.generated > 1) return;
      series.stage.prefill_forward.observe(toSeconds(request.firstTokenNs - request.scheduledNs));
    },
    onStep(step) {
      setGauges(engine, series, step);
      addStep(report, step, series);
      if (report.steps >= STEPS_PER_REPORT || engine.running === 0)
        publishReport(report, step, engine, series);
    },
  };
}

/** Creates an empty report, which counts the work since the previous report. */
function createReport() {
  return { steps: 0, decoded: 0, prefilled: 0, sinceNs: Number.NaN, queried: 0, cached: 0 };
}

type Report = ReturnType<typeof createReport>;

function addStep(report: Report, step: Readonly<Step>, series: SchedulerSeries): void {
  if (Number.isNaN(report.sinceNs)) report.sinceNs = step.startNs;
  report.prefilled += step.prefillTokens;
  report.decoded += step.decodeRequests;
  if (step.decodeRequests === 0) return;
  report.steps += 1;
  if (step.prefillRequests === 0) series.graphPasses.inc();
}

function publishReport(report: Report, step: Readonly<Step>, engine: Engine, series: SchedulerSeries): void {
  const elapsedS = toSeconds(step.endNs - report.sinceNs);
  series.throughput.set(engine.running === 0 ? 0 : report.decoded / elapsedS);
  series.tokens.prefill_compute.inc(report.prefilled);
  series.tokens.prefill_cache.inc(report.cached);
  series.tokens.decode.inc(report.decoded);
  if (report.queried > 0) series.hitRate.set(report.cached / report.queried);
  Object.assign(report, createReport(), { sinceNs: step.endNs });
}

function setGauges(engine: Engine, series: SchedulerSeries, step: Readonly<Step>): void {
  series.running.set(engine.running);
  series.queued.set(engine.waiting);
  series.usedTokens.set(engine.pool.used * engine.options.blockSize);
  series.tokenUsage.set(Math.round(engine.kvUsage * 100) / 100);
  series.sequenceTokens.set(engine.contextTokens);
  series.retracted.set(step.preempted);
  series.utilization.set(engine.running / engine.options.maxRunning);
  series.isGraph.set(step.decodeRequests > 0 && step.prefillRequests === 0 ? 1 : 0);
}

function observeTokenizer(
  series: ReturnType<typeof getSeries<ReturnType<typeof declareTokenizer>>>,
): EngineObserver {
  return {
    onToken(request, gapNs) {
      series.generationTokens.inc();
      (request.generated === 1 ? series.firstToken : series.interToken).observe(toSeconds(gapNs));
    },
    onFinished(request: Request) {
      if (request.finishReason === 'abort') {
        series.aborted.inc();
        return;
      }
      series.promptTokens.inc(request.spec.promptTokens);
      series.cachedTokens.inc(request.cachedTokens);
      series.requests.inc();
      series.e2e.observe(toSeconds(request.finishNs - request.arrivalNs));
      series.retractions.observe(request.preemptions);
    },
  };
}
