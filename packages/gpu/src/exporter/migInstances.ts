import { METRIC_BY_FIELD } from '../metrics.ts';

/** The value of a series of a GPU, which may describe only one MIG instance. */
export interface InstanceValue {
  /** Empty for a value of the whole GPU. */
  readonly instance: string;
  /** Profile of the instance, such as `2g.20gb`. */
  readonly profile: string;
  /** Order of the exporter's metrics for the same field. */
  readonly rank: number;
  readonly value: number;
}

/** Number of compute slices of a GPU that is divided into MIG instances. */
const SLICES_PER_GPU = 7;

/**
 * Returns the value of a GPU from the values of its series; undefined if it is unknown.
 *
 * A value of the whole GPU takes precedence. dcgm-exporter repeats the power and the energy of a GPU for each of its MIG
 * instances and for each pod that shares it, so they must not be added.
 */
export function combineInstances(field: string, values: readonly InstanceValue[]): number | undefined {
  const rank = Math.min(...values.map(value => value.rank));
  const ranked = values.filter(value => value.rank === rank);
  const whole = ranked.filter(({ instance }) => instance === '');
  if (whole.length > 0) return Math.max(...whole.map(({ value }) => value));
  const instances = [...new Map(ranked.map(entry => [entry.instance, entry])).values()];
  const rule = METRIC_BY_FIELD.get(field)!.instances;
  if (rule === 'shared') return Math.max(...instances.map(({ value }) => value));
  if (rule === 'sum') return instances.reduce((sum, { value }) => sum + value, 0);
  return computeShare(instances);
}

/** Weights percentages by the shares of the instances in the GPU; undefined if a profile is unknown. */
function computeShare(instances: readonly InstanceValue[]): number | undefined {
  let sum = 0;
  for (const { profile, value } of instances) {
    const [, slices] = /^(\d+)g\./.exec(profile) ?? [];
    if (slices === undefined) return undefined;
    sum += (value * Number(slices)) / SLICES_PER_GPU;
  }
  return sum;
}
