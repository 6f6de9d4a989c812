/**
 * Simulated runs that were not used to develop the percentile methods: other families of distributions, bucket layouts
 * and seeds than the shared accuracy data. The runs depend only on the seeds.
 */
import type { PercentileEstimates } from '@org/core';
import { createRandom } from '../measure/random.ts';
import type { AccuracyRun } from './accuracyRun.ts';

/** Draws a value; `progress` is the elapsed share of the run, from 0 to 1. */
type Distribution = (random: () => number, progress: number) => number;

/** Families of distributions, with medians of about 0.1 to 2 s. */
const FAMILIES: Readonly<Record<string, Distribution>> = {
  weibull: random => 0.8 * (-Math.log(1 - random())) ** (1 / 1.5),
  'log-logistic': random => {
    const u = 0.001 + 0.997 * random();
    return 0.4 * (u / (1 - u)) ** (1 / 3);
  },
  erlang: random => -0.15 * Math.log((1 - random()) * (1 - random()) * (1 - random()) * (1 - random())),
  triangular: random => 0.2 + 0.9 * (random() + random()),
  'three modes': random => [0.05, 0.6, 3][Math.floor(3 * random() ** 1.5)]! * (0.8 + 0.4 * random()),
  'growing queue': (random, progress) => 0.05 + 1.5 * progress * progress + 0.3 * random(),
  'on and off': (random, progress) => ((progress * 6) % 1 < 0.5 ? 0.1 + 0.05 * random() : 1 + random()),
};

const BUCKETS: readonly (readonly number[])[] = [
  [0.004, 0.008, 0.016, 0.032, 0.064, 0.128, 0.256, 0.512, 1.024, 2.048, 4.096, 8.192],
  [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20],
  [0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 2.5, 3, 4],
  [0.1, 1, 10],
];

/** The exported percentiles. */
const PERCENTS: readonly number[] = [1, 5, 10, 25, 50, 75, 90, 95, 99];

/** Observations per second. */
const RATES: readonly number[] = [1, 5, 30, 200, 1500];
const SECONDS = 90;
const SCRAPE_SECONDS = 0.333;

/** Generates the runs: every family, with every rate, and with bucket layouts in turn. */
export function* generateHeldOutRuns(): Generator<AccuracyRun> {
  let seed = 20_261_123;
  for (const [family, draw] of Object.entries(FAMILIES))
    for (const rate of RATES) {
      seed++;
      yield generateRun(`${family}-${rate}`, draw, rate, BUCKETS[seed % BUCKETS.length]!, createRandom(seed));
    }
}

function generateRun(
  id: string,
  draw: Distribution,
  rate: number,
  bounds: readonly number[],
  random: () => number,
): AccuracyRun {
  const counts = new Array<number>(bounds.length + 1).fill(0);
  const rows = { timestamps_ns: [0], sums: [0], counts: [0], bucket_counts: [[...counts]] };
  const values: number[] = [];
  let sum = 0;
  const drawGap = (): number => -Math.log(1 - random()) / rate;
  let nextS = drawGap();
  for (let scrape = 1; scrape * SCRAPE_SECONDS <= SECONDS; scrape++) {
    while (nextS < scrape * SCRAPE_SECONDS) {
      const value = draw(random, nextS / SECONDS);
      values.push(value);
      sum += value;
      for (let bucket = 0; bucket <= bounds.length; bucket++)
        if (value <= (bounds[bucket] ?? Number.POSITIVE_INFINITY)) counts[bucket]!++;
      nextS += drawGap();
    }
    rows.timestamps_ns.push(scrape * SCRAPE_SECONDS * 1e9);
    rows.sums.push(sum);
    rows.counts.push(values.length);
    rows.bucket_counts.push([...counts]);
  }
  const les = [...bounds.map(String), '+Inf'];
  return { id, rate, les, ...rows, reference_index: 0, truth: computeTruth(values) };
}

/** Computes the exact percentiles, interpolated between neighboring values. */
function computeTruth(values: readonly number[]): PercentileEstimates {
  const sorted = [...values].sort((a, b) => a - b);
  const read = (percent: number): number => {
    const rank = (percent / 100) * (sorted.length - 1);
    const lower = sorted[Math.floor(rank)]!;
    return lower + (rank % 1) * (sorted[Math.ceil(rank)]! - lower);
  };
  return Object.fromEntries(
    PERCENTS.map(percent => [`p${percent}`, read(percent)]),
  ) as unknown as PercentileEstimates;
}
