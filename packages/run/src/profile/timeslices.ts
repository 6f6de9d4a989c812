import type { ProfileTimeslices, ServerMetricsDocument } from '@org/formats';
import {
  type MetricSlice,
  type PhaseMetrics,
  type ServerSlices,
  type SliceMetrics,
  toWallNs,
} from '@org/loadgen';
import type { Compatibility } from '@org/record';
import { convertBlocks } from './aiperfBlocks.ts';

type ProfileTimeslice = ProfileTimeslices['timeslices'][number];

export interface TimesliceParts {
  /** Undefined if the run has no timeslices. */
  readonly slices: SliceMetrics | undefined;
  readonly phaseMetrics: Pick<PhaseMetrics, 'toRangeBlocks'>;
  /** Start and end of the profiling period, in nanoseconds since 1970. */
  readonly profilingStartNs: bigint;
  readonly profilingEndNs: bigint;
  /** The wall time that times in `slices` are relative to, in nanoseconds since 1970. */
  readonly originNs: bigint;
  readonly inputConfig: Readonly<Record<string, unknown>>;
  /** The program whose metrics are exported; Servelens by default. */
  readonly compatibility?: Compatibility | undefined;
  /** Leaves out the metrics that are weighted by time, such as the mean concurrency, whose computation takes long. */
  readonly omitsLoad?: boolean;
  /** The server metrics of the run, whose timeslices determine the last slice. */
  readonly serverMetrics: ServerMetricsDocument | undefined;
  /**
   * The timeslices of earlier documents of the same run. Those that have not changed are used again. Requires `omitsLoad`,
   * because the load in a timeslice also depends on the requests of other timeslices.
   */
  readonly known?: WeakMap<MetricSlice, ProfileTimeslice>;
}

/** Creates profile_export_aiperf_timeslices.json. Returns undefined if the run has no timeslices. */
export function createTimeslices(parts: TimesliceParts): ProfileTimeslices | undefined {
  const { slices, phaseMetrics, profilingStartNs, profilingEndNs, originNs, inputConfig, serverMetrics } =
    parts;
  const computedSlices = slices?.toSlices(
    Number(profilingStartNs - originNs),
    Number(profilingEndNs - originNs),
    serverMetrics && findServerSlices(serverMetrics, originNs),
  );
  if (!computedSlices?.length) return undefined;
  const timeBlocks = parts.omitsLoad ? [] : phaseMetrics.toRangeBlocks(computedSlices);
  return {
    timeslices: computedSlices.map((slice, place) => {
      const timeslice = parts.known?.get(slice) ?? toTimeslice(slice, parts, timeBlocks[place]);
      parts.known?.set(slice, timeslice);
      return timeslice;
    }),
    input_config: inputConfig,
  };
}

function toTimeslice(
  { index, startNs, endNs, isComplete, blocks }: MetricSlice,
  { originNs, compatibility }: Pick<TimesliceParts, 'originNs' | 'compatibility'>,
  timeBlocks: MetricSlice['blocks'] | undefined,
): ProfileTimeslice {
  return {
    timeslice_index: index,
    start_ns: toWallNs(originNs, startNs),
    end_ns: toWallNs(originNs, endNs),
    ...(isComplete ? {} : { is_complete: false }),
    ...convertBlocks({ ...blocks, ...timeBlocks }, compatibility),
  };
}

/**
 * Finds the start of the last timeslice of a server metrics document, relative to `originNs`, and the update
 * interval. Returns undefined if the document has no timeslices.
 */
export function findServerSlices(
  document: Pick<ServerMetricsDocument, 'metrics' | 'summary'>,
  originNs: bigint,
): ServerSlices | undefined {
  const lastStartNs = findLastStartNs(document.metrics);
  if (lastStartNs === undefined) return undefined;
  const intervalsMs = Object.values(document.summary.endpoint_info).map(
    ({ median_update_interval_ms: interval }) => interval ?? 0,
  );
  return { lastStartNs: Number(lastStartNs - originNs), intervalNs: Math.max(0, ...intervalsMs) * 1e6 };
}

function findLastStartNs(metrics: ServerMetricsDocument['metrics']): bigint | undefined {
  let lastStartNs: bigint | undefined;
  for (const { series } of Object.values(metrics)) {
    for (const { timeslices } of series) {
      const startNs = timeslices?.at(-1)?.start_ns;
      if (startNs !== undefined && (lastStartNs === undefined || startNs > lastStartNs))
        lastStartNs = startNs;
    }
  }
  return lastStartNs;
}
