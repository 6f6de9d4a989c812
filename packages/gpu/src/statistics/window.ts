import { lowerBound, upperBound } from '@org/core';
import type { GpuSeries } from '../history.ts';

/** A time range in nanoseconds since the origin of a history. Both ends belong to it. */
export interface Window {
  readonly startNs: number;
  /** `Infinity` for all samples after the start. */
  readonly endNs: number;
}

/** Maximum delay of the closing sample after the end of a phase, in nanoseconds, as in AIPerf. */
export const CLOSING_SAMPLE_NS = 666_000_000;

/** Extends a window to its closing sample, which may arrive after its end. */
export function includeClosingSample({ startNs, endNs }: Window): Window {
  return { startNs, endNs: endNs + CLOSING_SAMPLE_NS };
}

/** Values with their times. */
export interface TimedValues {
  readonly timesNs: Float64Array;
  readonly values: Float64Array;
}

/** Returns the values of a field in a window. Samples without a value are omitted. */
export function readValues(series: GpuSeries, field: string, { startNs, endNs }: Window): TimedValues {
  const values = series.getValues(field);
  const { timesNs } = series;
  const from = lowerBound(timesNs, startNs);
  const to = upperBound(timesNs, endNs);
  const positions: number[] = [];
  if (values) for (let at = from; at < to; at++) if (!Number.isNaN(values[at]!)) positions.push(at);
  return {
    timesNs: Float64Array.from(positions, at => timesNs[at]!),
    values: Float64Array.from(positions, at => values![at]!),
  };
}

/** Returns the last value of a field before a time, with its time; undefined without one. */
export function readLastBefore(
  series: GpuSeries,
  field: string,
  timeNs: number,
): { readonly timeNs: number; readonly value: number } | undefined {
  const values = series.getValues(field);
  const { timesNs } = series;
  for (let at = lowerBound(timesNs, timeNs) - 1; at >= 0; at--) {
    const value = values?.[at];
    if (value === undefined) return undefined;
    if (!Number.isNaN(value)) return { timeNs: timesNs[at]!, value };
  }
  return undefined;
}
