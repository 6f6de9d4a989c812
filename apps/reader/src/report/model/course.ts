import type { TimeChart, Values } from '../../svg/timeChartModel.ts';
import type { ReportFinding, Timeline } from '../document.ts';
import type { HeatMap } from './distributions.ts';
import type { ReplicaRow } from './replica.ts';
import type { RequestDots } from './requestDots.ts';
import type { TimeSplit } from './timeSplit.ts';

/** Everything on the page that has a time axis. */
export interface Course {
  readonly timeline?: Timeline;
  /** True if there is no timeline, because the run has data over time for a single point only. */
  readonly isTooShort?: boolean;
  readonly charts: readonly TimeChart[];
  readonly findings: readonly ReportFinding[];
  readonly split?: TimeSplit;
  readonly heatMaps: readonly HeatMap[];
  readonly replicas: readonly ReplicaRow[];
  readonly requests?: RequestDots;
  /** The percentage of requests that succeeded within the limits, in each slice. */
  readonly goodPercent?: Values;
}
