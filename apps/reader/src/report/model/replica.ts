import type { ColorName } from '../../svg/palette.ts';
import type { PointAxis, Values } from '../../svg/timeChartModel.ts';

/** One quantity of all replicas, drawn as small charts with one value axis. */
export interface ReplicaRow {
  readonly id: string;
  readonly title: string;
  readonly unit: string;
  readonly metrics: readonly string[];
  readonly axis: PointAxis;
  /** The top of the value axis of all charts. */
  readonly top: number;
  /** The replicas by their role. Workers of different roles process different requests. */
  readonly groups: readonly ReplicaGroup[];
}

/** The replicas of one role. */
export interface ReplicaGroup {
  /** The role, such as `prefill`; empty if the servers do not report one. */
  readonly role: string;
  /** The median of the replicas at each time. */
  readonly median: Values;
  /** The replicas to draw: all, or the most different ones of many. */
  readonly replicas: readonly Replica[];
  /** The spread in words, such as `means from 3 to 9, median 4`, and how many replicas are not drawn. */
  readonly spread: string;
}

export interface Replica {
  readonly name: string;
  readonly color: ColorName;
  readonly values: Values;
  readonly mean: number;
  /** True if the mean is more than 1.5 times the median of the replicas of its role. */
  readonly isHigh: boolean;
  /** The index of the point where the replica stopped responding; absent if it did not. */
  readonly stop?: number;
}
