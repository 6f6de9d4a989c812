import { type Run, type RunEndpoint, readMaxScrapeDistance } from '@org/analysis';
import type { Interval, Moment, TimeMarks } from '../../svg/timeChartModel.ts';
import type { RunTraces } from '../timeline/runTraces.ts';
import { roundSeconds } from './values.ts';

/** The maximum number of moments. More labels would overlap. */
const MAX_MOMENTS = 24;
/** Seconds without samples at the start of profiling after which a server has started during the run. */
const MIN_LATE_SECONDS = 2;

/** Lists what happened on the time axis: the profiling period, times without samples, starts and deaths of servers, and marks. */
export function buildMarks(run: Run, traces: RunTraces, findings: readonly Interval[]): TimeMarks {
  const { profilingStartNs, profilingEndNs } = run.times;
  const toSeconds = (ns: bigint): number => roundSeconds(traces.toSeconds(ns));
  const showsName = run.endpoints.length > 1;
  return {
    ...(profilingStartNs !== undefined &&
      profilingEndNs !== undefined && {
        profiling: [toSeconds(profilingStartNs), toSeconds(profilingEndNs)] as const,
      }),
    intervals: [...findings, ...run.endpoints.flatMap(endpoint => listGaps(endpoint, toSeconds, showsName))],
    moments: [
      ...run.endpoints.flatMap(endpoint => listMoments(endpoint, toSeconds, showsName)),
      ...listUserMarks(run, toSeconds),
    ].slice(0, MAX_MOMENTS),
  };
}

type ToSeconds = (ns: bigint) => number;

/** Lists the times without samples: outages, and gaps for another reason, such as a response that took seconds. */
function listGaps(
  { name, info, availability }: RunEndpoint,
  toSeconds: ToSeconds,
  showsName: boolean,
): Interval[] {
  const { outages } = availability;
  const others = (info?.gaps ?? []).filter(gap =>
    outages.every(({ start_ns, end_ns }) => start_ns >= gap.end_ns || end_ns <= gap.start_ns),
  );
  return [...outages, ...others].map(({ start_ns, end_ns }) => ({
    kind: 'gap',
    from: toSeconds(start_ns),
    to: toSeconds(end_ns),
    label: showsName ? `${name}: no scrape` : 'no scrape',
  }));
}

function listMoments(endpoint: RunEndpoint, toSeconds: ToSeconds, showsName: boolean): Moment[] {
  const { name, availability } = endpoint;
  const { death, restarts, coverage } = availability;
  const label = (text: string): string => (showsName ? `${name} ${text}` : text);
  const minLateSeconds = Math.max(MIN_LATE_SECONDS, readMaxScrapeDistance(endpoint));
  const isLate = coverage !== undefined && coverage.missingAtStart > minLateSeconds;
  return [
    ...(isLate
      ? [{ kind: 'start', seconds: toSeconds(coverage.firstNs), label: label('started') } as const]
      : []),
    ...restarts.map(
      ({ atNs }) => ({ kind: 'restart', seconds: toSeconds(atNs), label: label('restarted') }) as const,
    ),
    ...(death
      ? [
          {
            kind: 'death',
            seconds: toSeconds(death.lastSuccessNs),
            label: label('stopped responding'),
          } as const,
        ]
      : []),
  ];
}

/** Lists the marks recorded with `servelens mark`. */
function listUserMarks({ view }: Run, toSeconds: ToSeconds): Moment[] {
  const marks = (
    view.summary as { readonly marks?: readonly Readonly<Record<string, unknown>>[] } | undefined
  )?.marks;
  return (marks ?? []).flatMap((mark): Moment[] => {
    const ns = mark.time_ns ?? mark.timestamp_ns;
    if (typeof ns !== 'bigint') return [];
    return [
      { kind: 'mark', seconds: toSeconds(ns), label: String(mark.text ?? mark.note ?? mark.kind ?? 'mark') },
    ];
  });
}
