import type { ValueDistribution } from '@org/loadgen';

/** Fields of a recorded configuration. */
export type ConfigFields = Readonly<Record<string, unknown>>;

/** Returns the fields that are not undefined. */
export function omitMissing(fields: ConfigFields): ConfigFields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** Returns a distribution in AIPerf's shape. */
export function toDistribution(distribution: ValueDistribution | undefined): ConfigFields | undefined {
  if (distribution === undefined) return undefined;
  const { mean, stddev, median, parts, min, max } = distribution;
  const peaks = parts?.map(part => ({
    distribution: toDistribution(part.distribution),
    weight: part.weight,
  }));
  const values = peaks ? { peaks } : { mean, ...(stddev && { stddev }), ...omitMissing({ median }) };
  return { ...values, ...omitMissing({ min, max }) };
}
