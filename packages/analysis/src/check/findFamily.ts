import type { Run } from '../run/run.ts';
import type { RunFamily } from '../run/series.ts';

const PLATFORMS = ['nvidia', 'amd'] as const;

/** The names of metrics that are computed from the energy or the power of GPUs. */
const ENERGY_METRIC =
  /^(?:nvidia_|amd_)?(?:energy_per_\w+|energy_delay_product|\w+_per_(?:joule|watt)|(?:total|average)_gpu_(?:energy|power))$/;

/**
 * Finds a metric by its name. The platform at the start of an energy metric can be omitted, as in `energy_per_output_token`,
 * if the run has GPUs of one platform.
 */
export function findFamily({ families }: Pick<Run, 'families'>, name: string): RunFamily | undefined {
  const found = families.get(name);
  if (found || !ENERGY_METRIC.test(name)) return found;
  const energies = PLATFORMS.flatMap(platform => families.get(`${platform}_${name}`) ?? []);
  return energies.length === 1 ? energies[0] : undefined;
}

/** Reports whether a metric is missing because the run contains no energy of GPUs. */
export function lacksEnergy({ families }: Pick<Run, 'families'>, name: string): boolean {
  const hasEnergy = PLATFORMS.some(platform => families.has(`${platform}_total_gpu_energy`));
  return ENERGY_METRIC.test(name) && !hasEnergy;
}
