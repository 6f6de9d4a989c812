import { formatCount } from '@org/core';
import type { MetricRole } from '@org/servers';
import { max, min } from '../math.ts';
import type { Run } from '../run/run.ts';
import { type RunSeries, readStat } from '../run/series.ts';
import { findServerInstances, type ServerInstance } from '../servers/serverInstance.ts';
import type { Evidence } from './rule.ts';
import { findRange } from './timeRange.ts';
import { formatXid } from './xids.ts';

/** Labels that identify a GPU, best first. An exporter can add the error to the labels, which starts a new series. */
const GPU_LABELS = ['UUID', 'gpu_uuid', 'gpu', 'gpu_id'] as const;

/**
 * Finds errors that GPUs reported during profiling on pages of exporters that were scraped as server metrics. GPUs whose samples
 * were also recorded as telemetry are left out.
 */
export function findErrorsOnPages(run: Run): Evidence[] {
  const known = new Set(run.gpus.map(({ uuid }) => uuid));
  return findServerInstances(run).flatMap(instance => [
    ...describeChanges(instance, 'gpuErrorCode', known, (_, last) => formatXid(last)),
    ...describeChanges(
      instance,
      'gpuMemoryErrors',
      known,
      (first, last) => `${formatCount(last - first, 'memory error')} that were not corrected`,
    ),
  ]);
}

/** Describes the GPUs whose value rose during profiling. A value that was there before is not an error of the run. */
function describeChanges(
  { endpoint, series }: ServerInstance,
  role: MetricRole,
  known: ReadonlySet<string>,
  describe: (first: number, last: number) => string,
): Evidence[] {
  const all = series(role);
  return [...new Set(all.map(identifyGpu))].flatMap(gpu => {
    const ofGpu = all.filter(entry => identifyGpu(entry) === gpu);
    const lowest = min(ofGpu.flatMap(entry => readStat(entry, 'min') ?? []));
    const highest = max(ofGpu.flatMap(entry => readStat(entry, 'max') ?? []));
    if (gpu === undefined || known.has(gpu) || !(highest > lowest && lowest >= 0)) return [];
    const range = findRange(
      ofGpu.flatMap(({ slices }) => slices).sort((a, b) => (a.start_ns < b.start_ns ? -1 : 1)),
      slice => (slice.max ?? lowest) > lowest,
    );
    return [
      {
        endpoint,
        text: `GPU ${ofGpu[0]!.labels.gpu ?? ofGpu[0]!.labels.gpu_id ?? gpu}: ${describe(lowest, highest)}`,
        numbers: { value: highest },
        magnitude: 1,
        ...(range && { range }),
      },
    ];
  });
}

function identifyGpu({ labels }: RunSeries): string | undefined {
  const label = GPU_LABELS.find(name => labels[name] !== undefined);
  return label && labels[label];
}
