import { round } from '../measure/numbers.ts';
import type { CollectingCost } from './collectingCost.ts';
import type { FillCost } from './fillCost.ts';
import type { PrometheusCost } from './prometheusCost.ts';

/** Converts the cost of storing frames to printed figures. */
export function toFillFigures(cost: FillCost): object {
  return {
    samples: cost.samples,
    bytes_per_sample: round(cost.heldBytes / cost.samples, 3),
    append_ns: round((cost.appendCpuS * 1e9) / cost.samples, 1),
    append_wall_ns: round((cost.appendWallS * 1e9) / cost.samples, 1),
    rss_mb: round(cost.rssMb),
    base_rss_mb: round(cost.baseRssMb),
    peak_rss_mb: round(cost.peakRssMb),
  };
}

/** Converts the cost of scraping to printed figures. */
export function toScrapingFigures(
  { endpoints, seconds }: { readonly endpoints: number; readonly seconds: number },
  cost: PrometheusCost | CollectingCost,
): object {
  return {
    endpoints,
    seconds,
    samples: cost.samples,
    rss_mb: round(cost.rssMb),
    base_rss_mb: round(cost.baseRssMb),
    peak_rss_mb: round(cost.peakRssMb),
    late_cpu_s: round(cost.secondHalf.cpuS, 2),
    late_cpu_ns_per_sample: round(computeNsPerSample(cost)),
  };
}

/** Computes the CPU time per sample in the second half of the measurement, in ns. */
export function computeNsPerSample({ secondHalf }: Pick<CollectingCost, 'secondHalf'>): number {
  return (secondHalf.cpuS * 1e9) / secondHalf.samples;
}
