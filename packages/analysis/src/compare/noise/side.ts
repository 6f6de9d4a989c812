import { mean } from '../../math.ts';
import { readStat } from '../../run/series.ts';
import type { SeriesValues } from '../matching/rollup.ts';
import { type Estimate, estimateFromRuns, estimateFromSlices, estimateSingle } from './estimate.ts';
import type { MetricKind } from './runTotal.ts';
import { readSliceSample, type SliceSample } from './sliceSample.ts';

/** A statistic on one side of a comparison, with its uncertainty. */
export interface Side {
  readonly estimate: Estimate;
  /** One value per run. */
  readonly runs: readonly number[];
  /** The timeslices of each run in `runs`; undefined for a run whose timeslices do not have the statistic. */
  readonly samples: readonly (SliceSample | undefined)[];
  readonly values: readonly SeriesValues[];
}

/**
 * Estimates a statistic on one side: the mean of its runs. The noise is estimated from the runs if there are
 * several, otherwise from the timeslices. Returns undefined if no run has the statistic.
 */
export function estimateSide(
  values: readonly (SeriesValues | undefined)[],
  stat: string,
  metric: MetricKind,
): Side | undefined {
  const present: SeriesValues[] = [];
  const runs: number[] = [];
  const samples: (SliceSample | undefined)[] = [];
  for (const entry of values) {
    const value = entry && readStat(entry, stat);
    if (value === undefined || !Number.isFinite(value)) continue;
    present.push(entry!);
    runs.push(value);
    samples.push(readSliceSample(entry!.slices, stat, metric));
  }
  if (present.length === 0) return undefined;
  const estimate = runs.length > 1 ? estimateFromRuns(runs) : estimateNoise(samples[0], runs[0]!);
  return { estimate: estimate ?? estimateSingle(runs[0]!), runs, samples, values: present };
}

/** Estimates the noise of a run's value from its timeslices. A total has the relative noise of its rate. */
function estimateNoise(sample: SliceSample | undefined, value: number): Estimate | null {
  if (!sample) return null;
  const estimate = estimateFromSlices(value, sample.values, sample.weights);
  if (!estimate || !sample.isRateOfTotal) return estimate;
  const rate = mean(sample.values);
  const scale = rate === 0 ? 1 : value / rate;
  return { ...estimate, error: estimate.error * scale, deviation: estimate.deviation * scale };
}
