import type { Engine } from '../engine/engine.ts';
import type { EngineObserver } from '../engine/observer.ts';
import type { Request } from '../engine/request.ts';
import type { Step } from '../engine/step.ts';
import type { LabelValues, MetricFamily } from '../metrics/registry.ts';
import { Registry } from '../metrics/registry.ts';
import type { Counter, Gauge } from '../metrics/series.ts';
import { pythonMultiprocessStyle } from '../metrics/style.ts';
import {
  sglangFirstToken,
  sglangInterToken,
  sglangQueue,
  sglangRequest,
  sglangRetractions,
  sglangStage,
} from './buckets.ts';
import { eachFamily, eachValue } from './each.ts';
import { type Profile, type ProfileContext, seconds, textPage } from './profile.ts';

/** SGLang as of early 2026: several processes on one page, so sums come first and nothing tells when it was created. */
export function sglangProfile(context: ProfileContext): Profile {
  const registry = new Registry(context);
  const scheduler = declareScheduler(registry);
  const tokenizer = declareTokenizer(registry);
  for (const engine of context.engines) {
    engine.observe(observeScheduler(engine, schedulerSeries(scheduler, schedulerLabels(context, engine))));
    engine.observe(observeTokenizer(eachFamily(tokenizer, { model_name: context.model })));
  }
  const page = textPage(
    { name: 'metrics', path: '/metrics', port: 'main' },
    registry,
    pythonMultiprocessStyle,
  );
  return { pages: [page] };
}

/** Schedulers tell which of the parallel ranks they are; with several engines also which replica. */
function schedulerLabels({ engines, model }: ProfileContext, engine: Engine): LabelValues {
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
  const gauge = (name: string, help: string): MetricFamily<Gauge> => registry.gauge(`sglang:${name}`, help);
  const counter = (name: string, help: string): MetricFamily<Counter> =>
    registry.counter(`sglang:${name}`, help);
  return {
    stage: registry.histogram(
      'sglang:per_stage_req_latency_seconds',
      'Requests by stage, in seconds',
      sglangStage,
    ),
    queueTime: registry.histogram('sglang:queue_time_seconds', 'Wait in the queue, in seconds', sglangQueue),
    realtimeTokens: counter('realtime_tokens', 'Tokens by what was done with them, as of the last report'),
    graphPasses: counter('cuda_graph_passes', 'Forward passes by whether a CUDA graph was used'),
    retracted: gauge('num_retracted_reqs', 'Requests sent back to the queue'),
    paused: gauge('num_paused_reqs', 'Requests that pause for new weights'),
    running: gauge('num_running_reqs', 'Requests in the running batch'),
    usedTokens: gauge('num_used_tokens', 'Tokens in the KV cache'),
    tokenUsage: gauge('token_usage', 'Used part of the KV cache'),
    sequenceTokens: gauge('decode_sum_seq_lens', 'Tokens of all sequences that decode'),
    throughput: gauge('gen_throughput', 'Tokens generated, in tokens/s, as of the last report'),
    queued: gauge('num_queue_reqs', 'Requests that wait'),
    grammarQueued: gauge('num_grammar_queue_reqs', 'Requests that wait for their grammar'),
    hitRate: gauge('cache_hit_rate', 'Part of the prompt tokens that the prefix cache had'),
    maxTokens: gauge('max_total_num_tokens', 'Tokens that the KV cache can hold'),
    utilization: gauge('utilization', 'How busy the scheduler is'),
    newTokenRatio: gauge('new_token_ratio', 'Share of the tokens to come for which room is kept'),
    isGraph: gauge('is_cuda_graph', 'Whether the batch runs in a CUDA graph'),
  };
}

function declareTokenizer(registry: Registry) {
  return {
    firstToken: registry.histogram(
      'sglang:time_to_first_token_seconds',
      'From arrival to the first token, in seconds',
      sglangFirstToken,
    ),
    interToken: registry.histogram(
      'sglang:inter_token_latency_seconds',
      'Between two tokens of a request, in seconds',
      sglangInterToken,
    ),
    e2e: registry.histogram(
      'sglang:e2e_request_latency_seconds',
      'From arrival to the end of a request, in seconds',
      sglangRequest,
    ),
    retractions: registry.histogram(
      'sglang:num_retractions',
      'How often a request was sent back to the queue',
      sglangRetractions,
    ),
    promptTokens: registry.counter('sglang:prompt_tokens', 'Prompt tokens processed'),
    generationTokens: registry.counter('sglang:generation_tokens', 'Tokens generated'),
    cachedTokens: registry.counter('sglang:cached_tokens', 'Prompt tokens that the prefix cache had'),
    requests: registry.counter('sglang:num_requests', 'Requests that were served to their end'),
    aborted: registry.counter('sglang:num_aborted_requests', 'Requests whose client went away'),
  };
}

const stages = ['request_process', 'prefill_waiting', 'prefill_forward'] as const;
const modes = ['prefill_compute', 'prefill_cache', 'decode'] as const;

function schedulerSeries(families: ReturnType<typeof declareScheduler>, labels: LabelValues) {
  const { stage, realtimeTokens, graphPasses, ...plain } = families;
  return {
    ...eachFamily(plain, labels),
    stage: eachValue(stage, labels, 'stage', stages),
    tokens: eachValue(realtimeTokens, labels, 'mode', modes),
    graphPasses: graphPasses.labels({ ...labels, mode: 'decode_cuda_graph' }),
  };
}

type SchedulerSeries = ReturnType<typeof schedulerSeries>;

/** The scheduler reports its throughput every so many decode steps. */
const reportSteps = 40;

function observeScheduler(engine: Engine, series: SchedulerSeries): EngineObserver {
  const report = newReport();
  series.maxTokens.set(engine.options.kvBlocks * engine.options.blockSize);
  series.newTokenRatio.set(0.7);
  return {
    scheduled(request) {
      const waited = seconds(request.scheduledNs - request.queuedNs);
      series.queueTime.observe(waited);
      series.stage.request_process.observe(seconds(request.queuedNs - request.arrivalNs));
      series.stage.prefill_waiting.observe(waited);
      report.queried += request.spec.promptTokens;
      report.hit += request.cachedTokens;
    },
    token(request) {
      if (request.generated > 1) return;
      series.stage.prefill_forward.observe(seconds(request.firstTokenNs - request.scheduledNs));
    },
    step(step) {
      setGauges(engine, series, step);
      takeStep(report, step, series);
      if (report.steps >= reportSteps || engine.running === 0) publish(report, step, engine, series);
    },
  };
}

/** What has gathered since the last report. */
function newReport() {
  return { steps: 0, decoded: 0, prefilled: 0, sinceNs: Number.NaN, queried: 0, hit: 0 };
}

type Report = ReturnType<typeof newReport>;

function takeStep(report: Report, step: Readonly<Step>, series: SchedulerSeries): void {
  if (Number.isNaN(report.sinceNs)) report.sinceNs = step.startNs;
  report.prefilled += step.prefillTokens;
  report.decoded += step.decodeRequests;
  if (step.decodeRequests === 0) return;
  report.steps += 1;
  if (step.prefillRequests === 0) series.graphPasses.inc();
}

function publish(report: Report, step: Readonly<Step>, engine: Engine, series: SchedulerSeries): void {
  const elapsed = seconds(step.endNs - report.sinceNs);
  series.throughput.set(engine.running === 0 ? 0 : report.decoded / elapsed);
  series.tokens.prefill_compute.inc(report.prefilled);
  series.tokens.prefill_cache.inc(report.hit);
  series.tokens.decode.inc(report.decoded);
  if (report.queried > 0) series.hitRate.set(report.hit / report.queried);
  Object.assign(report, newReport(), { sinceNs: step.endNs });
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
  series: ReturnType<typeof eachFamily<ReturnType<typeof declareTokenizer>>>,
): EngineObserver {
  return {
    token(request, gapNs) {
      series.generationTokens.inc();
      (request.generated === 1 ? series.firstToken : series.interToken).observe(seconds(gapNs));
    },
    finished(request: Request) {
      if (request.finishReason === 'abort') {
        series.aborted.inc();
        return;
      }
      series.promptTokens.inc(request.spec.promptTokens);
      series.cachedTokens.inc(request.cachedTokens);
      series.requests.inc();
      series.e2e.observe(seconds(request.finishNs - request.arrivalNs));
      series.retractions.observe(request.preemptions);
    },
  };
}
