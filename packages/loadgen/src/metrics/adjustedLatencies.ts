import { type Distribution, PERCENTILES } from './distribution.ts';

/** Statistics in which failed requests have an infinite latency. Infinite statistics are omitted. */
export type AdjustedStats = { readonly min: number; readonly count: number } & {
  readonly [percentile: `p${number}`]: number;
};

/** Latencies for which failed requests count as infinite. */
export const ADJUSTED_TAGS = [
  'request_latency',
  'time_to_first_token',
  'decode_duration',
  'inter_token_latency',
] as const;

/** Computes the statistics of the latencies of successful requests and of `failed` infinite ones. */
export function adjustLatencies(latencies: Distribution, failed: number): AdjustedStats {
  const count = latencies.count + failed;
  const ranks = PERCENTILES.map(percentile => roundHalfToEven((count - 1) * (percentile / 100)));
  const values = latencies.readRanks([0, ...ranks.filter(rank => rank < latencies.count)]);
  const [min, ...percentiles] = values;
  return {
    ...Object.fromEntries(percentiles.map((value, index) => [`p${PERCENTILES[index]}`, value])),
    min: min!,
    count,
  };
}

/** Rounds to an integer; halves to the even one, as NumPy does. */
function roundHalfToEven(value: number): number {
  const floor = Math.floor(value);
  if (value - floor !== 0.5) return Math.round(value);
  return floor % 2 === 0 ? floor : floor + 1;
}
