import { openInput } from '@org/analysis';
import type { ProfileRecord } from '@org/formats';
import { readProfileRecords } from '@org/formats/read';
import type { TimeChart } from '../document.ts';
import type { ReadIssues } from '../readIssues.ts';
import { BinMeans } from './binMeans.ts';
import { type Axis, addToBins, findBin } from './timeAxis.ts';

const DIGITS = 5;

/**
 * Builds the charts of the load generator's requests, on the axis of the server metrics. Their clocks are equal
 * if both ran in one process. Empty if the file contains no requests.
 */
export async function buildClientCharts(
  file: string,
  startNs: bigint,
  axis: Axis,
  issues: ReadIssues,
): Promise<TimeChart[]> {
  const bins = new ClientBins(startNs, axis);
  for await (const record of readProfileRecords(await openInput(file), { onIssue: issues.of(file) }))
    bins.add(record);
  return bins.charts();
}

/** Sums by bin. */
class ClientBins {
  readonly #startNs: bigint;
  readonly #axis: Axis;
  readonly #inFlight: Float64Array;
  readonly #completed: Float64Array;
  readonly #failed: Float64Array;
  readonly #tokens: Float64Array;
  readonly #means: Readonly<Record<'first' | 'latency' | 'gap', BinMeans>>;
  /** The time of the first request, in seconds. */
  #first = Number.POSITIVE_INFINITY;

  constructor(startNs: bigint, axis: Axis) {
    this.#startNs = startNs;
    this.#axis = axis;
    const empty = (): Float64Array => new Float64Array(axis.bins);
    this.#inFlight = empty();
    this.#completed = empty();
    this.#failed = empty();
    this.#tokens = empty();
    this.#means = { first: new BinMeans(axis), latency: new BinMeans(axis), gap: new BinMeans(axis) };
  }

  add({ metadata, metrics, error }: ProfileRecord): void {
    const from = this.#seconds(metadata.request_start_ns);
    const to = this.#seconds(metadata.request_end_ns);
    this.#first = Math.min(this.#first, from);
    addToBins(this.#inFlight, this.#axis, from, to, to - from);
    const bin = findBin(this.#axis, to);
    if (bin >= 0) (error ? this.#failed : this.#completed)[bin]!++;
    if (error) return;
    const first = toSeconds(metrics.time_to_first_token);
    this.#means.latency.add(to, toSeconds(metrics.request_latency));
    this.#means.first.add(from + (first ?? 0), first);
    this.#means.gap.add(to, toSeconds(metrics.inter_token_latency));
    const tokens = metrics.output_sequence_length?.value;
    if (typeof tokens === 'number') addToBins(this.#tokens, this.#axis, from + (first ?? 0), to, tokens);
  }

  charts(): TimeChart[] {
    if (this.#first === Number.POSITIVE_INFINITY) return [];
    // The file does not contain warm-up requests: before its first request, values are unknown, not 0.
    const known = Math.floor(this.#first / this.#axis.width);
    const perSecond = (sums: Float64Array): (number | null)[] =>
      Array.from(sums, (sum, bin) => (bin < known ? null : round(sum / this.#axis.width)));
    const { first, latency, gap } = this.#means;
    return [
      createChart('requests in flight', 'sent, not completed', null, '', perSecond(this.#inFlight)),
      createChart('requests completed', 'without an error', 'requests', '/s', perSecond(this.#completed)),
      ...(this.#failed.some(count => count > 0)
        ? [createChart('requests failed', 'with an error', 'requests', '/s', perSecond(this.#failed))]
        : []),
      ...createMeanChart(first, 'time_to_first_token', 'mean, by time of the first token'),
      ...createMeanChart(gap, 'inter_token_latency', 'mean, by end of the request'),
      ...createMeanChart(latency, 'request_latency', 'mean, by end of the request'),
      ...(this.#tokens.some(count => count > 0)
        ? [
            createChart(
              'output tokens',
              'spread evenly over each response',
              'tokens',
              '/s',
              perSecond(this.#tokens),
            ),
          ]
        : []),
    ];
  }

  #seconds(ns: bigint): number {
    return Number(ns - this.#startNs) / 1e9;
  }
}

/**
 * Builds the chart of a mean latency. Returns nothing if it was not measured, such as first tokens without
 * streaming.
 */
function createMeanChart(means: BinMeans, name: string, meaning: string): TimeChart[] {
  const values = means.values();
  if (values.every(value => value === null)) return [];
  return [
    createChart(
      name,
      meaning,
      'seconds',
      '',
      values.map(value => (value === null ? null : round(value))),
    ),
  ];
}

function createChart(
  name: string,
  meaning: string,
  unit: string | null,
  per: string,
  all: readonly (number | null)[],
): TimeChart {
  return { name, meaning, unit, per, combined: 'sum', side: 'client', all };
}

const SECONDS: Readonly<Record<string, number>> = { ns: 1e-9, us: 1e-6, ms: 1e-3, s: 1, sec: 1 };

function toSeconds(metric: ProfileRecord['metrics'][string] | undefined): number | undefined {
  const scale = metric && SECONDS[metric.unit];
  return scale !== undefined && typeof metric?.value === 'number' ? metric.value * scale : undefined;
}

function round(value: number): number {
  return Number(value.toPrecision(DIGITS));
}
