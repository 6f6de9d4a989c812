import type { ClientState } from '@org/live';
import type { ProfileMetrics } from '@org/loadgen';
import type { ActiveLoad } from '@org/run';
import { createFamily, type Family, type HistogramValue, type Labels, type Point } from './batch.ts';
import { METRICS, type MetricDefinition } from './definition.ts';
import { HistogramMeter } from './histogramMeter.ts';

/** The histograms of the client, with the metric of the load generator that each one counts. */
const HISTOGRAMS: readonly {
  readonly definition: MetricDefinition;
  readonly tag: string;
  readonly scale: number;
  readonly labels?: Labels;
}[] = [
  { definition: METRICS.operationDuration, tag: 'request_latency', scale: 1e-3 },
  { definition: METRICS.timeToFirstChunk, tag: 'time_to_first_token', scale: 1e-3 },
  { definition: METRICS.interTokenLatency, tag: 'inter_token_latency', scale: 1e-3 },
  {
    definition: METRICS.tokenUsage,
    tag: 'input_sequence_length',
    scale: 1,
    labels: { 'gen_ai.token.type': 'input' },
  },
  {
    definition: METRICS.tokenUsage,
    tag: 'output_sequence_length',
    scale: 1,
    labels: { 'gen_ai.token.type': 'output' },
  },
];

/** The values of the load generator in one phase. They are cumulative, so that a lost push loses no request. */
export class ClientFeed {
  readonly #metrics: ProfileMetrics;
  readonly #labels: Labels;
  readonly #meters = HISTOGRAMS.map(({ definition, scale }) => new HistogramMeter(definition.bounds!, scale));

  constructor(metrics: ProfileMetrics, phase: string) {
    this.#metrics = metrics;
    this.#labels = { phase };
  }

  read(): Family[] {
    const { succeeded, failed, cancelled } = this.#metrics;
    if (succeeded + failed + cancelled === 0) return [];
    const histograms = HISTOGRAMS.flatMap(({ definition, tag, labels }, index) =>
      this.#readHistogram(definition, this.#meters[index]!, tag, labels),
    );
    const outcomes = Object.entries({ succeeded, failed, cancelled });
    const requests = outcomes.map(([outcome, value]) => ({ labels: { ...this.#labels, outcome }, value }));
    return [...histograms, { definition: METRICS.requests, points: requests }, ...this.#readErrors()];
  }

  #readHistogram(
    definition: MetricDefinition,
    meter: HistogramMeter,
    tag: string,
    labels: Labels = {},
  ): Family[] {
    const value: HistogramValue | undefined = meter.read(this.#metrics.getDistribution(tag));
    return createFamily(definition, value, { ...this.#labels, ...labels });
  }

  #readErrors(): Family[] {
    const counts = new Map<string, number>();
    for (const { failure, count } of this.#metrics.errors)
      counts.set(failure.type, (counts.get(failure.type) ?? 0) + count);
    if (counts.size === 0) return [];
    const points = [...counts].map(
      ([type, value]): Point => ({ labels: { ...this.#labels, 'error.type': type }, value }),
    );
    return [{ definition: METRICS.errors, points }];
  }
}

/** Creates the feeds of the phases of a load. */
export function createClientFeeds({ metrics, warmupMetrics }: ActiveLoad): ClientFeed[] {
  return [
    ...(warmupMetrics ? [new ClientFeed(warmupMetrics, 'warmup')] : []),
    new ClientFeed(metrics, 'profiling'),
  ];
}

/** Describes the load at this time. */
export function describeLoad({ sent, inFlight, goodShare }: ClientState, phase: string): Family[] {
  const labels = { phase };
  return [
    ...createFamily(METRICS.sentRequests, sent, labels),
    ...createFamily(METRICS.inFlight, inFlight.now, labels),
    ...createFamily(METRICS.goodRequests, goodShare, labels),
  ];
}
