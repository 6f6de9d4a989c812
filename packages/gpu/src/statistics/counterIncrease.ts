import type { GpuSeries } from '../history.ts';
import { readLastBefore, readValues, type Window } from './window.ts';

/**
 * Returns the increase of a counter in a window, from the last sample before it; undefined without samples in the
 * window. A decrease is a reset, for example of the driver: the counter restarted at 0.
 */
export function computeCounterIncrease(series: GpuSeries, field: string, window: Window): number | undefined {
  const { values } = readValues(series, field, window);
  if (values.length === 0) return undefined;
  const reference = readLastBefore(series, field, window.startNs)?.value ?? values[0]!;
  const last = values.at(-1)!;
  let resetValue = 0;
  let previous = reference;
  for (const value of values) {
    if (value < previous) resetValue += previous;
    previous = value;
  }
  return last - reference + resetValue;
}
