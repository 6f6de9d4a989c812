import type { ProfileRecord } from '@org/formats';
import { readProfileRecords } from '@org/formats/read';
import type { Complaints } from './complaints.ts';
import type { TimeChart } from './document.ts';
import { type Axis, binOf, spread } from './spread.ts';

const DIGITS = 5;

/**
 * What the load generator measured, request by request, on the axis of the servers' metrics: clocks are the same where both
 * ran in one process. Empty when there is no request in the file.
 */
export async function clientCharts(
  file: string,
  startNs: bigint,
  axis: Axis,
  complaints: Complaints,
): Promise<TimeChart[]> {
  const bins = new ClientBins(startNs, axis);
  for await (const record of readProfileRecords(file, { onIssue: complaints.of(file) })) bins.add(record);
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
  readonly #means: Readonly<Record<'first' | 'latency' | 'gap', Mean>>;
  /** Seconds at which the first request was sent. */
  #first = Number.POSITIVE_INFINITY;

  constructor(startNs: bigint, axis: Axis) {
    this.#startNs = startNs;
    this.#axis = axis;
    const empty = (): Float64Array => new Float64Array(axis.bins);
    this.#inFlight = empty();
    this.#completed = empty();
    this.#failed = empty();
    this.#tokens = empty();
    this.#means = { first: new Mean(axis), latency: new Mean(axis), gap: new Mean(axis) };
  }

  add({ metadata, metrics, error }: ProfileRecord): void {
    const from = this.#seconds(metadata.request_start_ns);
    const to = this.#seconds(metadata.request_end_ns);
    this.#first = Math.min(this.#first, from);
    spread(this.#inFlight, this.#axis, from, to, to - from);
    const bin = binOf(this.#axis, to);
    if (bin >= 0) (error ? this.#failed : this.#completed)[bin]!++;
    if (error) return;
    const first = secondsOf(metrics.time_to_first_token);
    this.#means.latency.add(to, secondsOf(metrics.request_latency));
    this.#means.first.add(from + (first ?? 0), first);
    this.#means.gap.add(to, secondsOf(metrics.inter_token_latency));
    const tokens = metrics.output_sequence_length?.value;
    if (typeof tokens === 'number') spread(this.#tokens, this.#axis, from + (first ?? 0), to, tokens);
  }

  charts(): TimeChart[] {
    if (this.#first === Number.POSITIVE_INFINITY) return [];
    // Requests of the warm-up are not in the file: before the first one that is, nothing is known, which is not 0.
    const known = Math.floor(this.#first / this.#axis.width);
    const perSecond = (sums: Float64Array): (number | null)[] =>
      Array.from(sums, (sum, bin) => (bin < known ? null : rounded(sum / this.#axis.width)));
    const { first, latency, gap } = this.#means;
    return [
      chart('requests in flight', 'sent and not answered yet', null, '', perSecond(this.#inFlight)),
      chart('requests completed', 'without an error', 'requests', '/s', perSecond(this.#completed)),
      ...(this.#failed.some(count => count > 0)
        ? [chart('requests failed', 'with an error', 'requests', '/s', perSecond(this.#failed))]
        : []),
      ...first.chart('time_to_first_token', 'mean of the first tokens of that time'),
      ...gap.chart('inter_token_latency', 'mean of the requests that ended then'),
      ...latency.chart('request_latency', 'mean of the requests that ended then'),
      ...(this.#tokens.some(count => count > 0)
        ? [
            chart(
              'output tokens',
              'spread evenly over the answer of a request',
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

/** The mean of values by bin. */
class Mean {
  readonly #axis: Axis;
  readonly #sums: Float64Array;
  readonly #counts: Uint32Array;

  constructor(axis: Axis) {
    this.#axis = axis;
    this.#sums = new Float64Array(axis.bins);
    this.#counts = new Uint32Array(axis.bins);
  }

  add(at: number, value: number | undefined): void {
    const bin = binOf(this.#axis, at);
    if (bin < 0 || value === undefined) return;
    this.#sums[bin]! += value;
    this.#counts[bin]!++;
  }

  /** Nothing where nothing was measured: without streaming there are no first tokens. */
  chart(name: string, meaning: string): TimeChart[] {
    if (!this.#counts.some(count => count > 0)) return [];
    const values = Array.from(this.#sums, (sum, bin) =>
      this.#counts[bin]! > 0 ? rounded(sum / this.#counts[bin]!) : null,
    );
    return [chart(name, meaning, 'seconds', '', values)];
  }
}

function chart(
  name: string,
  meaning: string,
  unit: string | null,
  per: string,
  all: readonly (number | null)[],
): TimeChart {
  return { name, meaning, unit, per, combined: 'sum', side: 'client', all };
}

const SECONDS: Readonly<Record<string, number>> = { ns: 1e-9, us: 1e-6, ms: 1e-3, s: 1, sec: 1 };

function secondsOf(metric: ProfileRecord['metrics'][string] | undefined): number | undefined {
  const scale = metric && SECONDS[metric.unit];
  return scale !== undefined && typeof metric?.value === 'number' ? metric.value * scale : undefined;
}

function rounded(value: number): number {
  return Number(value.toPrecision(DIGITS));
}
