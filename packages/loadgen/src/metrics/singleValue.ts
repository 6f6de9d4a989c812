/** A metric with a single value, in `avg`. */
export interface SingleValue {
  readonly unit: string;
  readonly avg: number;
}

/** Creates a metric with a single value. */
export function createSingleValue(avg: number, unit: string): SingleValue {
  return { unit, avg };
}

/** Returns a metric by its tag; nothing if it has no value. */
export function toMetric(
  tag: string,
  value: number | undefined,
  unit: string,
): Readonly<Record<string, SingleValue>> {
  return value === undefined ? {} : { [tag]: createSingleValue(value, unit) };
}
