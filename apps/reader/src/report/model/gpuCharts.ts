import type { Run, RunGpu } from '@org/analysis';
import type { TimeChart, Values } from '../../svg/timeChartModel.ts';
import type { RunTraces } from '../timeline/runTraces.ts';
import { BinMeans } from '../timeline/timeAxis.ts';
import { toPointAxis } from './clientCharts.ts';
import { combineValues } from './roleValues.ts';
import { roundValues } from './values.ts';

/** A chart of all GPUs. */
interface GpuChart {
  readonly id: string;
  readonly title: string;
  readonly unit: string;
  /** The metrics in the order of preference: those of NVIDIA and those of AMD. */
  readonly fields: readonly string[];
  readonly help: string;
  readonly combine: (values: readonly number[]) => number;
}

const addUp = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

const CHARTS: readonly GpuChart[] = [
  {
    id: 'gpu-power',
    title: 'Power of all GPUs, W',
    unit: 'W',
    fields: ['nvidia_power_usage', 'amd_power'],
    help: 'The sum of the power draw of all GPUs. The area below the line is their energy.',
    combine: addUp,
  },
  {
    id: 'gpu-utilization',
    title: 'Utilization of GPUs, %',
    unit: '%',
    fields: ['nvidia_gpu_utilization', 'amd_gfx_activity'],
    help: 'The mean of all GPUs: the share of time in which a GPU computed anything, also if it did so slowly.',
    combine: values => addUp(values) / values.length,
  },
];

/** Builds the charts of GPUs; empty if the run has no GPU telemetry. */
export function buildGpuCharts({ gpus }: Run, traces: RunTraces): TimeChart[] {
  return CHARTS.flatMap(({ id, title, unit, fields, help, combine }) => {
    const found = gpus.flatMap(gpu => {
      const field = fields.find(name => gpu.values.has(name));
      return field === undefined ? [] : [{ field, values: readGpu(gpu, field, traces) }];
    });
    const values = combineValues(
      found.map(each => each.values),
      combine,
    );
    if (values.every(value => value === null)) return [];
    return [
      {
        id,
        side: 'server',
        title,
        unit,
        metrics: [...new Set(found.map(({ field }) => field))],
        help,
        axis: toPointAxis(traces.axis.width),
        layers: [
          { form: 'line', name: `${found.length} GPUs`, color: 'server', values: roundValues(values) },
        ],
        ...(unit === '%' && { max: 100 }),
      },
    ];
  });
}

/** Returns the mean of a metric in each bin. A bin without a sample has the last value before it, if it is recent. */
function readGpu({ timesNs, values }: RunGpu, field: string, traces: RunTraces): Values {
  const means = new BinMeans(traces.axis);
  for (const [i, value] of values.get(field)!.entries())
    if (!Number.isNaN(value)) means.add(traces.toSeconds(timesNs[i]!), value);
  return fillShortGaps(means.values());
}

/** The number of bins that the last sample stands for, because GPUs are sampled less often than servers. */
const MAX_FILLED = 5;

function fillShortGaps(values: Values): Values {
  let last: number | null = null;
  let age = 0;
  return values.map(value => {
    age = value === null ? age + 1 : 0;
    if (value !== null) last = value;
    return age <= MAX_FILLED ? last : null;
  });
}
