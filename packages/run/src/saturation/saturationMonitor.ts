import type { OverSaturation } from '@org/formats';
import type { LoadRun, RequestMetrics } from '@org/loadgen';
import type { Endpoint } from '@org/scrape';
import type { ServerCatalog } from '@org/servers';
import type { ProfilePlan } from '../plan/profilePlan.ts';
import { QueueReader } from './queueReader.ts';
import { type Evidence, SaturationRule } from './saturationRule.ts';
import type { Slope } from './slope.ts';

const SAMPLE_INTERVAL_MS = 1000;

/** Observes the profiling phase of a load, and detects that the servers are over-saturated. */
export class SaturationMonitor {
  readonly #rule: SaturationRule;
  readonly #queues: QueueReader;
  readonly #onDetected: () => void;
  #interval: NodeJS.Timeout | undefined;
  #latencySumMs = 0;
  #latencyCount = 0;
  #longestLatencyMs = 0;
  #evidence: OverSaturation | undefined;

  /** `onDetected` is called once. */
  constructor(
    { overSaturationSeconds, profiling }: Pick<ProfilePlan, 'overSaturationSeconds' | 'profiling'>,
    endpoints: readonly Endpoint[],
    servers: ServerCatalog,
    onDetected: () => void,
  ) {
    const { rate, rateSeries, rateRampS = 0 } = profiling;
    this.#rule = new SaturationRule({
      ...(overSaturationSeconds === undefined ? {} : { minSeconds: overSaturationSeconds }),
      startSeconds: rateRampS,
      rate: rateSeries ? undefined : rate,
    });
    this.#queues = new QueueReader(endpoints, servers);
    this.#onDetected = onDetected;
  }

  /** The evidence for which the load was ended; undefined if the servers were not certainly over-saturated. */
  get evidence(): OverSaturation | undefined {
    return this.#evidence;
  }

  /** Samples the load every second. */
  start(load: Pick<LoadRun, 'getProgress'>): void {
    this.#interval = setInterval(() => this.#sample(load), SAMPLE_INTERVAL_MS);
  }

  stop(): void {
    clearInterval(this.#interval);
  }

  /** Adds a request that has ended. */
  add({ time_to_first_token: firstToken, request_latency: latency }: RequestMetrics): void {
    if (typeof latency?.value !== 'number') return;
    this.#longestLatencyMs = Math.max(this.#longestLatencyMs, latency.value);
    this.#latencySumMs += typeof firstToken?.value === 'number' ? firstToken.value : latency.value;
    this.#latencyCount += 1;
  }

  #sample(load: Pick<LoadRun, 'getProgress'>): void {
    const { sent, inFlight, elapsedNs } = load.getProgress();
    const evidence = this.#rule.add({
      seconds: elapsedNs / 1e9,
      sent,
      outstanding: inFlight,
      waiting: this.#queues.read(),
      latency: this.#latencyCount === 0 ? undefined : this.#latencySumMs / this.#latencyCount / 1000,
      longestLatency: this.#longestLatencyMs / 1000,
    });
    this.#latencySumMs = 0;
    this.#latencyCount = 0;
    if (!evidence) return;
    this.stop();
    this.#evidence = describeEvidence(evidence);
    this.#onDetected();
  }
}

/** Converts the evidence to its form in exports. */
function describeEvidence(evidence: Evidence): OverSaturation {
  const { signal, seconds, windowSeconds, requests, growth, latencyGrowth } = evidence;
  return {
    signal,
    detected_after: seconds,
    window: windowSeconds,
    requests,
    growth: describeSlope(growth),
    ...(latencyGrowth ? { latency_growth: describeSlope(latencyGrowth) } : {}),
  };
}

function describeSlope({ perSecond, low, high }: Slope): OverSaturation['growth'] {
  return { per_second: perSecond, low, high };
}
