import type { ProfileMetric } from '@org/formats';
import type { GpuHistory } from '../history.ts';
import type { Platform } from '../metrics.ts';
import { computePlatformEnergy, type PlatformEnergy } from './energy.ts';
import type { Window } from './window.ts';

/** Metric blocks of a run, by tag. */
export type Blocks = Readonly<
  Record<string, { readonly unit: string; readonly avg?: number | undefined } | undefined>
>;

/** The energy of the GPUs of one platform, as recorded in the export. */
export interface EnergyRecord extends PlatformEnergy {
  readonly platform: Platform;
}

/** The energy metrics of a run, and how they were measured. */
export interface EnergyMetrics {
  /** Blocks by tag, with AIPerf's tags and units. */
  readonly blocks: Readonly<Record<string, ProfileMetric>>;
  readonly records: readonly EnergyRecord[];
}

export interface EnergyMetricsOptions {
  readonly history: GpuHistory;
  /** The profiling phase. */
  readonly window: Window;
  /** The metrics of the requests. */
  readonly blocks: Blocks;
  /** Configured concurrency; absent if the load is limited by a rate. */
  readonly concurrency?: number | undefined;
}

const MILLIJOULES_PER_JOULE = 1000;
const MS_PER_SECOND = 1000;

/**
 * Returns the energy metrics of each platform with GPUs, with AIPerf's tags and formulas, and the tokens per second per GPU.
 * A metric whose inputs are unknown is omitted.
 */
export function computeEnergyMetrics({
  history,
  window,
  blocks,
  concurrency,
}: EnergyMetricsOptions): EnergyMetrics {
  const records = (['amd', 'nvidia'] as const).flatMap(platform => {
    const energy = computePlatformEnergy(history, platform, window);
    return energy ? [{ platform, ...energy }] : [];
  });
  const seconds = (window.endNs - window.startNs) / 1e9;
  const entries = records.flatMap(record => listMetrics(record, seconds, blocks, concurrency));
  const gpus = records.reduce((sum, record) => sum + record.gpus, 0);
  const perGpu = divide(blocks.output_token_throughput?.avg, gpus);
  return {
    blocks: {
      ...toBlocks(entries),
      ...toBlocks([['output_token_throughput_per_gpu', perGpu, 'tokens/sec/gpu']]),
    },
    records,
  };
}

/** A metric that may be unknown. */
type Entry = readonly [tag: string, value: number | undefined, unit: string];

function listMetrics(
  { platform, watts, joules, source }: EnergyRecord,
  seconds: number,
  blocks: Blocks,
  concurrency: number | undefined,
): Entry[] {
  const read = (tag: string): number | undefined => blocks[tag]?.avg;
  // The mean over the phase: of the energy if a counter measured it, otherwise of the samples.
  const averageWatts = source === 'power' ? watts : divide(joules, seconds);
  const output = read('total_osl');
  const input = read('total_isl');
  const total = output === undefined && input === undefined ? undefined : (input ?? 0) + (output ?? 0);
  const perRequest = divide(joules, read('request_count'));
  const latency = read('request_latency');
  const millijoules = joules === undefined ? undefined : joules * MILLIJOULES_PER_JOULE;
  const metrics: Entry[] = [
    ['total_gpu_power', watts, 'W'],
    ['average_gpu_power', joules === undefined ? undefined : averageWatts, 'W'],
    ['total_gpu_energy', joules, 'J'],
    ['output_tokens_per_joule', divide(output, joules), 'tokens/J'],
    ['energy_per_output_token', divide(millijoules, output), 'mJ/token'],
    ['energy_per_total_token', divide(millijoules, total), 'mJ/token'],
    ['energy_per_request', perRequest, 'joules/request'],
    ['energy_per_user', divide(joules, concurrency), 'joules/user'],
    [
      'energy_delay_product',
      perRequest === undefined || latency === undefined ? undefined : (perRequest * latency) / MS_PER_SECOND,
      'J*s',
    ],
    ['performance_per_watt', divide(read('request_throughput'), averageWatts), 'requests/sec/W'],
    ['output_tps_per_watt', divide(read('output_token_throughput'), averageWatts), 'tokens/sec/W'],
    ['goodput_per_watt', divide(read('goodput'), averageWatts), 'good-req/s/W'],
  ];
  return metrics.map(([tag, value, unit]) => [`${platform}_${tag}`, value, unit]);
}

function toBlocks(entries: readonly Entry[]): Record<string, ProfileMetric> {
  return Object.fromEntries(
    entries.flatMap(([tag, avg, unit]) => (avg === undefined ? [] : [[tag, { unit, avg }]])),
  );
}

/** Divides two numbers; undefined if one is unknown or the divisor is 0. */
function divide(dividend: number | undefined, divisor: number | undefined): number | undefined {
  return dividend === undefined || divisor === undefined || divisor === 0 ? undefined : dividend / divisor;
}
