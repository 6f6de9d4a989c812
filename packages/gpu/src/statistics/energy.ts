import type { GpuHistory, GpuSeries } from '../history.ts';
import { ENERGY_FIELDS, type Platform, POWER_FIELDS } from '../metrics.ts';
import { computeCounterIncrease } from './counterIncrease.ts';
import { includeClosingSample, readLastBefore, readValues, type Window } from './window.ts';

/** How the energy of a GPU was measured. `counter`: by the GPU. `power`: integrated from samples of its power. */
export type EnergySource = 'counter' | 'power';

/** The energy of one GPU in a window. */
export interface GpuEnergy {
  readonly joules: number;
  readonly source: EnergySource;
  /** Total time without samples of the power for more than `MAX_GAP_SECONDS`, in seconds; 0 for a counter. */
  readonly gapSeconds: number;
}

/** The energy and the power of all GPUs of a platform in a window. */
export interface PlatformEnergy {
  /** Number of GPUs. */
  readonly gpus: number;
  /** Sum of the mean power of each GPU, in watts; undefined if no GPU has one. */
  readonly watts: number | undefined;
  /** Undefined if the energy of a GPU is unknown. */
  readonly joules: number | undefined;
  /** `mixed`: several sources. */
  readonly source: EnergySource | 'mixed' | undefined;
  /** The longest total of gaps of a GPU, in seconds. */
  readonly gapSeconds: number;
}

/** Samples of the power that are further apart do not show what happened between them. */
export const MAX_GAP_SECONDS = 3;

const JOULES_PER_MEGAJOULE = 1e6;

/** Returns the energy and power of the GPUs of a platform; undefined without such GPUs. */
export function computePlatformEnergy(
  history: GpuHistory,
  platform: Platform,
  window: Window,
): PlatformEnergy | undefined {
  return computeEnergy(
    listDistinctGpus(history).filter(({ gpu }) => gpu.platform === platform),
    window,
  );
}

/** Returns the energy and power of GPUs; undefined if none of them has a value. */
export function computeEnergy(series: readonly GpuSeries[], window: Window): PlatformEnergy | undefined {
  const watts = series.map(gpu => computeMeanPower(gpu, window)).filter(value => value !== undefined);
  const energies = series.map(gpu => computeGpuEnergy(gpu, window)).filter(value => value !== undefined);
  if (watts.length === 0 && energies.length === 0) return undefined;
  const sources = new Set(energies.map(({ source }) => source));
  const hasAll = energies.length === series.length;
  return {
    gpus: series.length,
    watts: watts.length > 0 ? watts.reduce((sum, value) => sum + value, 0) : undefined,
    joules: hasAll ? energies.reduce((sum, { joules }) => sum + joules, 0) : undefined,
    source: hasAll ? (sources.size > 1 ? 'mixed' : [...sources][0]) : undefined,
    gapSeconds: Math.max(0, ...energies.map(({ gapSeconds }) => gapSeconds)),
  };
}

/** Lists the GPUs. A GPU that several sources describe is listed once. */
export function listDistinctGpus({ series }: GpuHistory): GpuSeries[] {
  return [...new Map(series.map(entry => [identify(entry), entry])).values()];
}

/** Returns a text that identifies a GPU on all sources, if its source knows its UUID. */
function identify({ gpu: { uuid, hostname }, source }: GpuSeries): string {
  return /^GPU-\d+$/.test(uuid) ? `${source} ${hostname ?? ''} ${uuid}` : uuid;
}

/** Returns the energy of a GPU from its counter or, without a counter that increases, from its power. */
function computeGpuEnergy(series: GpuSeries, window: Window): GpuEnergy | undefined {
  const field = ENERGY_FIELDS[series.gpu.platform];
  const increase = computeCounterIncrease(series, field, includeClosingSample(window));
  if (increase !== undefined && increase > 0)
    return { joules: increase * JOULES_PER_MEGAJOULE, source: 'counter', gapSeconds: 0 };
  return integratePower(series, window);
}

function computeMeanPower(series: GpuSeries, window: Window): number | undefined {
  const { values } = readValues(series, POWER_FIELDS[series.gpu.platform], window);
  if (values.length === 0) return undefined;
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/**
 * Integrates the power between samples linearly, with the samples before and after the window. Without such a sample, the power
 * is assumed to be constant. A window without an end has no energy.
 */
function integratePower(series: GpuSeries, window: Window): GpuEnergy | undefined {
  const { startNs, endNs } = window;
  const field = POWER_FIELDS[series.gpu.platform];
  const before = readLastBefore(series, field, startNs);
  const { timesNs, values } = readValues(series, field, includeClosingSample(window));
  if (values.length === 0 || !Number.isFinite(endNs) || endNs <= startNs) return undefined;
  const times = [before?.timeNs ?? startNs, ...timesNs, Math.max(endNs, timesNs.at(-1)!)];
  const watts = [before?.value ?? values[0]!, ...values, values.at(-1)!];
  let joules = 0;
  let gapSeconds = 0;
  for (let at = 1; at < times.length; at++) {
    const from = Math.max(startNs, times[at - 1]!);
    const to = Math.min(endNs, times[at]!);
    if (to <= from) continue;
    const interpolate = (timeNs: number): number =>
      watts[at - 1]! +
      ((watts[at]! - watts[at - 1]!) * (timeNs - times[at - 1]!)) / (times[at]! - times[at - 1]!);
    const seconds = (to - from) / 1e9;
    joules += (seconds * (interpolate(from) + interpolate(to))) / 2;
    if (seconds > MAX_GAP_SECONDS) gapSeconds += seconds;
  }
  return { joules, source: 'power', gapSeconds };
}
