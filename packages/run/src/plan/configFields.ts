import type { NormalDistribution } from '@org/loadgen';

/** Fields of a recorded configuration. */
export type ConfigFields = Readonly<Record<string, unknown>>;

/** Returns the fields that are not undefined. */
export function omitMissing(fields: ConfigFields): ConfigFields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** Returns a distribution in AIPerf's shape. */
export function toDistribution(distribution: NormalDistribution | undefined): ConfigFields | undefined {
  if (distribution === undefined) return undefined;
  const { mean, stddev } = distribution;
  return stddev ? { mean, stddev } : { mean };
}
