import { formatCount, formatPercent } from '@org/core';
import { max } from '../math.ts';
import { computeElapsedSeconds, formatElapsed } from '../run/availability.ts';
import { listThrottleReasons } from '../run/clockReasons.ts';
import { type GpuValue, readGpuValues } from '../run/gpuSamples.ts';
import type { Run } from '../run/run.ts';
import type { RunGpu } from '../run/runGpu.ts';
import { findErrorsOnPages } from './gpuPages.ts';
import { createRunRule, type Evidence, type FindingRule, type Thresholds, type TimeRange } from './rule.ts';
import { formatXid } from './xids.ts';

/** Rules on the samples of GPUs. */
export const GPU_RULES: readonly FindingRule[] = [
  createRunRule(
    {
      id: 'gpu-errors',
      severity: 'problem',
      title: 'a GPU reported errors',
      advice:
        'Do not use the results: see the system log (dmesg, nvidia-smi -q) for the error, and replace or reset the GPU before you repeat the run.',
      thresholds: {},
    },
    run => [
      ...run.gpus.flatMap(gpu => [...describeXids(run, gpu), ...describeMemoryErrors(run, gpu)]),
      ...findErrorsOnPages(run),
    ],
  ),
  createRunRule(
    {
      id: 'gpu-throttled',
      severity: 'warning',
      title: 'a GPU lowered its clock rate',
      advice:
        'Latencies include this time, and repeated runs differ: check cooling and power supply. A power limit that is reached is normal at full load; compare runs only with the same limit.',
      thresholds: {
        heat: { value: 0.05, meaning: 'minimum fraction of samples with a limit of heat or hardware' },
        power: { value: 0.5, meaning: 'minimum fraction of samples with a limit of power' },
        samples: { value: 10, meaning: 'minimum number of samples' },
      },
    },
    (run, limits) => run.gpus.flatMap(gpu => describeThrottling(run, gpu, limits)),
  ),
];

/** Finds XIDs that a GPU reported during profiling. A code from before is still shown, and is not an error of the run. */
function describeXids(run: Run, gpu: RunGpu): Evidence[] {
  const before = readLastValueBefore(run, gpu, 'nvidia_xid_errors');
  const values = readGpuValues(run, gpu, 'nvidia_xid_errors');
  const changes = values.filter(({ value }, i) => {
    const previous = i === 0 ? before : values[i - 1]!.value;
    return value > 0 && previous !== undefined && value !== previous;
  });
  return changes.map(({ timeNs, value }) => {
    const seconds = computeElapsedSeconds(timeNs, run.times);
    const when = seconds === undefined ? '' : ` ${formatElapsed(seconds)}`;
    return {
      text: `${formatGpu(gpu)}: ${formatXid(value)}${when}`,
      numbers: { xid: value, ...(seconds !== undefined && { seconds }) },
      magnitude: 1,
      range: { startNs: timeNs, endNs: timeNs },
    };
  });
}

function readLastValueBefore(run: Run, gpu: RunGpu, field: string): number | undefined {
  const startNs = run.times.profilingStartNs;
  if (startNs === undefined) return undefined;
  const column = gpu.values.get(field) ?? [];
  return column.findLast((value, i) => gpu.timesNs[i]! < startNs && !Number.isNaN(value));
}

function describeMemoryErrors(run: Run, gpu: RunGpu): Evidence[] {
  const values = readGpuValues(run, gpu, 'amd_ecc_uncorrectable');
  const [first, last] = [values[0], values.at(-1)];
  if (!first || !last || last.value <= first.value) return [];
  const errors = last.value - first.value;
  return [
    {
      text: `${formatGpu(gpu)}: ${formatCount(errors, 'memory error')} that were not corrected`,
      numbers: { errors },
      magnitude: errors,
    },
  ];
}

function describeThrottling(
  run: Run,
  gpu: RunGpu,
  limits: Thresholds<'heat' | 'power' | 'samples'>,
): Evidence[] {
  const nvidia = readGpuValues(run, gpu, 'nvidia_clock_event_reasons');
  const amd = readGpuValues(run, gpu, 'amd_throttle_status');
  const isHot = ({ value }: GpuValue): boolean =>
    listThrottleReasons(value).some(({ cause }) => cause !== 'power');
  const isAtPowerLimit = ({ value }: GpuValue): boolean => listThrottleReasons(value).length > 0;
  return (
    describeShare(run, gpu, nvidia, isHot, limits.heat, limits.samples) ??
    describeShare(run, gpu, nvidia, isAtPowerLimit, limits.power, limits.samples) ??
    describeShare(run, gpu, amd, ({ value }) => value > 0, limits.heat, limits.samples) ??
    []
  );
}

function describeShare(
  run: Run,
  gpu: RunGpu,
  values: readonly GpuValue[],
  isThrottled: (value: GpuValue) => boolean,
  minShare: number,
  minSamples: number,
): Evidence[] | undefined {
  const throttled = values.filter(isThrottled);
  const share = throttled.length / values.length;
  if (values.length < minSamples || throttled.length === 0 || share < minShare) return undefined;
  const reasons = new Set(
    throttled.flatMap(({ value }) => listThrottleReasons(value).map(({ name }) => name)),
  );
  const details = [...(reasons.size > 0 ? [[...reasons].join(', ')] : []), ...listConditions(run, gpu)];
  return [
    {
      text: `${formatGpu(gpu)}: ${formatPercent(share)} of the samples${details.length > 0 ? `; ${details.join('; ')}` : ''}`,
      numbers: { share, samples: values.length },
      magnitude: share,
      range: toRange(throttled),
    },
  ];
}

/** Lists the highest temperature and power, which help to find the cause. */
function listConditions(run: Run, gpu: RunGpu): string[] {
  const readMax = (field: string): number | undefined => {
    const values = readGpuValues(run, gpu, field);
    return values.length === 0 ? undefined : max(values.map(({ value }) => value));
  };
  const temperature = readMax('nvidia_temperature') ?? readMax('amd_temperature');
  const [power, limit] = [
    readMax('nvidia_power_usage') ?? readMax('amd_power'),
    readMax('nvidia_power_limit'),
  ];
  return [
    ...(temperature === undefined ? [] : [`up to ${Math.round(temperature)} °C`]),
    ...(power === undefined
      ? []
      : [`up to ${Math.round(power)} W${limit === undefined ? '' : ` of ${Math.round(limit)} W`}`]),
  ];
}

function toRange(values: readonly GpuValue[]): TimeRange {
  return { startNs: values[0]!.timeNs, endNs: values.at(-1)!.timeNs };
}

function formatGpu({ index, hostname, model }: RunGpu): string {
  return `${hostname === undefined ? '' : `${hostname} `}GPU ${index} (${model})`;
}
