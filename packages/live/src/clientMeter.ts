import type { GoodputRule, ProfileMetrics } from '@org/loadgen';
import type { ActiveLoad } from '@org/run';
import { createSketchHistory, type SketchHistory } from './latencyHistory.ts';
import { LevelHistory } from './levelHistory.ts';
import type { ClientState, LiveLatency } from './liveState.ts';
import { QuantileSketch } from './quantileSketch.ts';

/** The metrics of the latencies, by their name in the state. */
const LATENCY_TAGS = {
  timeToFirstToken: 'time_to_first_token',
  interTokenLatency: 'inter_token_latency',
  requestLatency: 'request_latency',
} as const;

type LatencyName = keyof typeof LATENCY_TAGS;

const LATENCY_NAMES = Object.keys(LATENCY_TAGS) as LatencyName[];

/** Reads the measurements of the load generator, in one phase. */
export class ClientMeter {
  readonly #load: ActiveLoad['load'];
  readonly #metrics: ProfileMetrics | undefined;
  readonly #goodput: readonly GoodputRule[];
  readonly #requests = new LevelHistory();
  readonly #outputTokens = new LevelHistory();
  readonly #inFlight = new LevelHistory();
  readonly #latencies: Readonly<Record<LatencyName, SketchHistory>> = {
    timeToFirstToken: createSketchHistory(),
    interTokenLatency: createSketchHistory(),
    requestLatency: createSketchHistory(),
  };
  /** The number of values of each metric that were read. */
  readonly #readCounts = new Map<string, number>();
  #previous: { readonly elapsedNs: number; readonly ended: number; readonly tokens: number } | undefined;

  /** @param metrics the metrics of the phase */
  constructor(
    { load }: Pick<ActiveLoad, 'load'>,
    metrics: ProfileMetrics | undefined,
    goodput: readonly GoodputRule[] = [],
  ) {
    this.#load = load;
    this.#metrics = metrics;
    this.#goodput = goodput;
  }

  /** Adds a reading. */
  read(): void {
    const { succeeded, failed, cancelled, inFlight, elapsedNs } = this.#load.getProgress();
    const ended = succeeded + failed + cancelled;
    const tokens = this.#metrics?.getDistribution('output_sequence_length')?.sum ?? 0;
    const previous = this.#previous ?? { elapsedNs: 0, ended: 0, tokens: 0 };
    const seconds = (elapsedNs - previous.elapsedNs) / 1e9;
    const toRate = (increase: number): number | undefined => (seconds > 0 ? increase / seconds : undefined);
    this.#requests.add(toRate(ended - previous.ended));
    this.#outputTokens.add(this.#hasTokens() ? toRate(tokens - previous.tokens) : undefined);
    this.#inFlight.add(inFlight);
    for (const name of LATENCY_NAMES) this.#latencies[name].add(this.#readValues(LATENCY_TAGS[name]));
    this.#previous = { elapsedNs, ended, tokens };
  }

  /** @param planned the planned number of requests of the phase */
  describe(planned: number | undefined): ClientState {
    const { sent, succeeded, failed, cancelled } = this.#load.getProgress();
    const attempts = succeeded + failed + cancelled;
    const hasShare = this.#goodput.length > 0 && this.#metrics !== undefined && attempts > 0;
    return {
      requests: this.#requests.describe(),
      outputTokens: this.#outputTokens.describe(),
      inFlight: this.#inFlight.describe(),
      timeToFirstToken: this.#describeLatency('timeToFirstToken'),
      interTokenLatency: this.#describeLatency('interTokenLatency'),
      requestLatency: this.#describeLatency('requestLatency'),
      planned,
      sent,
      succeeded,
      failed,
      cancelled,
      goodShare: hasShare ? this.#metrics!.good / attempts : undefined,
      limits: this.#goodput.map(({ tag, limit, moreIsBetter }) => ({ tag, limit, moreIsBetter })),
    };
  }

  /** Describes a latency. If the run no longer stores its values, the percentiles of the phase would be out of date. */
  #describeLatency(name: LatencyName): LiveLatency {
    const latency = this.#latencies[name].describe();
    const distribution = this.#metrics?.getDistribution(LATENCY_TAGS[name]);
    return distribution && !distribution.values ? { ...latency, total: undefined } : latency;
  }

  /** Reports whether responses have a number of tokens. Embeddings have none. */
  #hasTokens(): boolean {
    return this.#metrics?.getDistribution('output_token_count') !== undefined;
  }

  /** Returns the values of a metric since the previous reading; undefined if they are no longer stored. */
  #readValues(tag: string): QuantileSketch | undefined {
    const distribution = this.#metrics?.getDistribution(tag);
    const sketch = new QuantileSketch();
    if (!distribution) return sketch;
    const { values } = distribution;
    if (!values) return undefined;
    for (let i = this.#readCounts.get(tag) ?? 0; i < values.length; i++) sketch.add(values[i]!);
    this.#readCounts.set(tag, values.length);
    return sketch;
  }
}
