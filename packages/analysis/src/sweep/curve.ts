import { findParetoPoints } from '@org/core';

/** A metric shown as an axis of curves and as a column of tables. */
export interface Axis {
  /** Tag and statistic, joined by an underscore: `request_latency_p99`. */
  readonly metric: string;
  readonly name: string;
  /** Short name, for column headings. */
  readonly short: string;
}

/** Metrics to maximize. */
export const THROUGHPUTS: readonly Axis[] = [
  { metric: 'request_throughput_avg', name: 'Requests/s', short: 'req/s' },
  { metric: 'output_token_throughput_avg', name: 'Output tok/s', short: 'out tok/s' },
  { metric: 'goodput_avg', name: 'Goodput, requests/s', short: 'goodput' },
];

/** Metrics to minimize. */
export const LATENCIES: readonly Axis[] = [
  { metric: 'request_latency_p50', name: 'Request Latency p50', short: 'latency p50' },
  { metric: 'request_latency_p99', name: 'Request Latency p99', short: 'latency p99' },
  { metric: 'time_to_first_token_p50', name: 'Time to First Token p50', short: 'TTFT p50' },
  { metric: 'time_to_first_token_p99', name: 'Time to First Token p99', short: 'TTFT p99' },
  { metric: 'inter_token_latency_avg', name: 'Inter Token Latency avg', short: 'ITL avg' },
  { metric: 'inter_token_latency_p99', name: 'Inter Token Latency p99', short: 'ITL p99' },
];

/** A variation of a sweep, with the data for its curve points. */
export interface CurveVariation {
  readonly name: string;
  readonly parameters: Readonly<Record<string, string>>;
  /** By metric: the mean, and half the width of its confidence interval if the variation was repeated. */
  readonly estimates: Readonly<Record<string, { readonly mean: number; readonly half: number | null }>>;
}

/**
 * The throughput (`x`) and latency (`y`) of a variation. `xHalf` and `yHalf` are half the widths of the confidence
 * intervals of repeated variations.
 */
export interface CurvePoint {
  readonly name: string;
  readonly x: number;
  readonly y: number;
  readonly xHalf: number | null;
  readonly yHalf: number | null;
  /** True if no other point is better in throughput or latency without being worse in the other. */
  readonly isPareto: boolean;
}

/** The points of variations that differ in one parameter only. */
export interface Curve {
  /** The values of the other parameters; empty for a single curve. */
  readonly name: string;
  readonly points: readonly CurvePoint[];
}

/** Computes the throughput-latency curves of a sweep. Variations without one of the two metrics are left out. */
export function computeThroughputLatencyCurves(
  variations: readonly CurveVariation[],
  throughput: string,
  latency: string,
): Curve[] {
  const drawable = variations.filter(({ estimates }) => estimates[throughput] && estimates[latency]);
  const tradeoffs = drawable.map(({ estimates }) => ({
    maximized: estimates[throughput]!.mean,
    minimized: estimates[latency]!.mean,
  }));
  const paretoIndices = new Set(findParetoPoints(tradeoffs));
  const curveParameter = findCurveParameter(variations);
  const curves = new Map<string, CurvePoint[]>();
  for (const [at, { name, parameters, estimates }] of drawable.entries()) {
    const [x, y] = [estimates[throughput]!, estimates[latency]!];
    const point = {
      name,
      x: x.mean,
      y: y.mean,
      xHalf: x.half,
      yHalf: y.half,
      isPareto: paretoIndices.has(at),
    };
    const key = Object.entries(parameters)
      .filter(([parameter]) => parameter !== curveParameter)
      .map(([parameter, value]) => `${parameter} ${value}`)
      .join(', ');
    const curve = curves.get(key);
    if (curve) curve.push(point);
    else curves.set(key, [point]);
  }
  return [...curves].map(([name, points]) => ({ name, points }));
}

/** Finds the parameter that varies along each curve: the parameter with the most values. */
function findCurveParameter(variations: readonly CurveVariation[]): string | undefined {
  const values = new Map<string, Set<string>>();
  for (const { parameters } of variations)
    for (const [name, value] of Object.entries(parameters))
      values.set(name, (values.get(name) ?? new Set<string>()).add(value));
  const [largest] = [...values].sort(([, a], [, b]) => b.size - a.size);
  return largest?.[0];
}
