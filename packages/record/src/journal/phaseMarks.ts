import type { JournalMark } from '@org/scrape';
import { upgradeMark, upgradeSettling } from '../oldFields.ts';
import type { BoundarySamples, MarkRecord, RunRecord, ScrapingRecord, SettlingRecord } from '../runRecord.ts';

/** The kinds of marks that a run writes to its journal. */
export const MARK = {
  /** Profiling started. Data: baseline samples by endpoint index. A later mark replaces an earlier one. */
  profilingStart: 'profiling_start',
  profilingEnd: 'profiling_end',
  /** A baseline or closing sample that arrived after its barrier, by endpoint index. */
  baseline: 'baseline',
  closing: 'closing',
  /** A mark that another program sent. */
  external: 'mark',
  /** A wait for server counters to stop changing has ended. */
  settled: 'settled',
  /** The cost of scraping so far. */
  scraping: 'scraping',
  runEnd: 'run_end',
} as const;

/** Timestamps in ns since 1970, by endpoint index. */
export type TimesByEndpoint = Readonly<Record<string, bigint>>;

/** The phases of a run, read from the marks of its journal. Undefined times were never written. */
export interface RecoveredPhases {
  readonly profilingStartNs: bigint | undefined;
  readonly profilingEndNs: bigint | undefined;
  readonly runEndNs: bigint | undefined;
  readonly cancelled: boolean;
  /** Returns the boundary samples of the endpoint with this index. */
  readonly boundaries: (endpoint: number) => BoundarySamples;
  readonly about: Pick<RunRecord, 'marks' | 'settling' | 'scraping'>;
}

/** Reads the phases of a run from its journal marks, which must be in the order they were written. */
export function readPhases(journal: readonly JournalMark[]): RecoveredPhases {
  const findLast = (kind: string): JournalMark | undefined => journal.findLast(mark => mark.kind === kind);
  const listData = <T>(kind: string): T[] =>
    journal.filter(mark => mark.kind === kind).map(({ data }) => data as T);
  const end = findLast(MARK.runEnd);
  const marks = listData<MarkRecord>(MARK.external).map(upgradeMark);
  const settling = listData<SettlingRecord>(MARK.settled).map(upgradeSettling);
  const scraping = findLast(MARK.scraping)?.data as ScrapingRecord | undefined;
  return {
    profilingStartNs: findLast(MARK.profilingStart)?.atNs,
    profilingEndNs: findLast(MARK.profilingEnd)?.atNs,
    runEndNs: end?.atNs,
    cancelled: ((end?.data ?? { cancelled: true }) as { cancelled: boolean }).cancelled,
    boundaries: readBoundaries(journal),
    about: {
      ...(marks.length > 0 ? { marks } : {}),
      ...(settling.length > 0 ? { settling } : {}),
      ...(scraping ? { scraping } : {}),
    },
  };
}

function readBoundaries(journal: readonly JournalMark[]): RecoveredPhases['boundaries'] {
  let baselines: TimesByEndpoint = {};
  let closings: TimesByEndpoint = {};
  for (const { kind, data } of journal) {
    const times = (data ?? {}) as TimesByEndpoint;
    if (kind === MARK.profilingStart) baselines = times;
    else if (kind === MARK.baseline) baselines = { ...baselines, ...times };
    else if (kind === MARK.closing) closings = { ...closings, ...times };
  }
  return endpoint => toBoundarySamples(baselines[endpoint], closings[endpoint]);
}

/** Returns the boundary samples, without the fields that are undefined. */
export function toBoundarySamples(
  baselineNs: bigint | undefined,
  closingNs: bigint | undefined,
): BoundarySamples {
  return {
    ...(baselineNs === undefined ? {} : { baseline_ns: baselineNs }),
    ...(closingNs === undefined ? {} : { closing_ns: closingNs }),
  };
}
