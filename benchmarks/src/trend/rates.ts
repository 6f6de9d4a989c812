import { findChanges, resolveTrendSettings, type TrendSettings } from '@org/analysis';
import { round } from '../measure/numbers.ts';
import { createNoise, type Scenario } from './scenarios.ts';

/** How to measure a scenario. */
export interface RateOptions {
  /** The number of trends. */
  readonly trends: number;
  /** The number of metrics per trend, all of them independent. */
  readonly metrics: number;
  /** The number of metrics with the scenario's series; the others do not change. */
  readonly changed: number;
  readonly seed: number;
}

/** Shares of trends or of metrics, from 0 to 1. */
export interface Rates {
  /** Trends with a change in a metric that does not change. */
  readonly falseAlarms: number;
  /** The metrics with the scenario's series whose changes were all found, and within 2 runs of their positions. */
  readonly detected: number;
  readonly located: number;
  /** The metrics with more change points than changes, or with change points instead of a drift. */
  readonly surplus: number;
  /** The metrics that are reported to change without a clear position. */
  readonly drifts: number;
}

/** The largest distance from the true position of a located change, in runs. */
const MAX_DISTANCE = 2;

/** Measures how often changes are reported in trends of many metrics. */
export function measureRates(scenario: Scenario, stable: Scenario, options: RateOptions): Rates {
  const settings = resolveTrendSettings();
  const counts = { falseAlarms: 0, detected: 0, located: 0, surplus: 0, drifts: 0 };
  for (let i = 0; i < options.trends; i++)
    countTrend(scenario, stable, { ...options, seed: options.seed + i }, settings, counts);
  const changed = options.trends * options.changed;
  return {
    falseAlarms: round(counts.falseAlarms / options.trends, 4),
    detected: round(counts.detected / changed, 3),
    located: round(counts.located / changed, 3),
    surplus: round(counts.surplus / changed, 3),
    drifts: round(counts.drifts / changed, 3),
  };
}

function countTrend(
  scenario: Scenario,
  stable: Scenario,
  { metrics, changed, seed }: RateOptions,
  settings: TrendSettings,
  counts: { -readonly [Name in keyof Rates]: number },
): void {
  const noise = createNoise(seed * 7919);
  const series = Array.from({ length: metrics }, (_, i) => (i < changed ? scenario : stable).create(noise));
  const found = findChanges(series, settings).series;
  const hasChange = (i: number): boolean =>
    (found[i]?.points.length ?? 0) > 0 || found[i]?.drift !== undefined;
  if (series.some((_, i) => i >= changed && hasChange(i))) counts.falseAlarms++;
  for (const result of found.slice(0, changed)) {
    const { points, drift } = result!;
    const { changes } = scenario;
    if (drift) counts.drifts++;
    if (points.length > changes.length) counts.surplus++;
    if (changes.length === 0 || points.length !== changes.length) continue;
    counts.detected++;
    if (changes.every((at, i) => Math.abs(points[i]!.at - at) <= MAX_DISTANCE)) counts.located++;
  }
}
