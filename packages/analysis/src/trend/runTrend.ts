import type { Verdict } from '../compare/rows/row.ts';
import type { Drift, Level } from './changePoints.ts';
import type { RunProblem } from './listRunFolders.ts';
import type { FigureName, Spread } from './runFigures.ts';
import type { SettingChange, VaryingSetting } from './settingChanges.ts';
import type { TrendSettings } from './settings.ts';

/** The trend of runs: a group per workload, with the change points of its key metrics. */
export interface RunTrend {
  /** Groups in the order of their last runs, the most recent first. */
  readonly groups: readonly TrendGroup[];
  /** Paths that are not part of the trend. */
  readonly problems: readonly RunProblem[];
  /** Limitations of the data, as messages. */
  readonly notes: readonly string[];
  readonly settings: TrendSettings;
  /** The minimum number of runs for a test. */
  readonly minTotalRuns: number;
}

/** A run of a trend. */
export interface TrendRun {
  readonly path: string;
  readonly startNs: bigint;
  /** True if the time zone of the start is unknown. */
  readonly isLocalTime: boolean;
  readonly repeats: number;
  readonly hasClient: boolean;
}

/** Runs of one workload, in order of time. */
export interface TrendGroup {
  /** The settings of the workload that distinguish the group from others, by name; all settings if there is one group. */
  readonly workload: ReadonlyMap<string, string>;
  readonly runs: readonly TrendRun[];
  readonly settingChanges: readonly SettingChange[];
  readonly varyingSettings: readonly VaryingSetting[];
  readonly metrics: readonly MetricTrend[];
  /** The number of metrics that were tested, which p-values are corrected for. */
  readonly tested: number;
  /** The highest p-value of a change point: alpha, corrected for the number of metrics. */
  readonly level: number;
}

/** A statistic of a key metric over the runs of a group. */
export interface MetricTrend extends FigureName {
  /** A value per run; null if the run does not have the metric. */
  readonly values: readonly (number | null)[];
  readonly spreads: readonly (Spread | null)[];
  /** The number of runs that have the metric. */
  readonly known: number;
  /** `constant`: all values are equal. `too few runs`: not tested. */
  readonly state: 'tested' | 'constant' | 'too few runs';
  readonly changes: readonly MetricChange[];
  readonly drift: MetricDrift | null;
}

/** A change point of a metric. */
export interface MetricChange {
  /** The indices of the last run before and the first run after the change, which have the metric. */
  readonly before: number;
  readonly after: number;
  readonly p: number;
  readonly from: Level;
  readonly to: Level;
  /** The change as a fraction of the earlier level; null if that is 0. */
  readonly change: number | null;
  readonly verdict: ChangeVerdict;
}

/** A gradual change of a metric over all runs. */
export interface MetricDrift extends Drift {
  readonly change: number | null;
  readonly verdict: ChangeVerdict;
}

/** The verdict on a change: `changed` for a metric without a direction. */
export type ChangeVerdict = Extract<Verdict, 'worse' | 'better' | 'changed'>;
