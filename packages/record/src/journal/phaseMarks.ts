import type { JournalMark } from '@org/scrape';
import { upgradeMark, upgradeSettling } from '../oldFields.ts';
import type {
  BoundarySamples,
  MarkRecord,
  RunRecord,
  ScrapingRecord,
  SettlingRecord,
  SourceRecord,
} from '../runRecord.ts';

/** The kinds of journal marks that every run writes. */
export const MARK = {
  /**
   * Profiling started. Data: timestamps of the baseline samples by endpoint index. A later mark replaces an
   * earlier one.
   */
  profilingStart: 'profiling_start',
  profilingEnd: 'profiling_end',
  /** A baseline sample that arrived after its barrier, or a closing sample. Data: its timestamp by endpoint index. */
  baseline: 'baseline',
  closing: 'closing',
  /** A mark that another program sent. */
  external: 'mark',
  /** A wait for server counters to stop changing has ended. */
  settled: 'settled',
  /** The cost of scraping so far. */
  scraping: 'scraping',
  /** The lists and problems of a source so far. Data: `SourceRecord`; the last mark of a source applies. */
  source: 'source',
  runEnd: 'run_end',
} as const;

/** Timestamps in Unix nanoseconds, by endpoint index. */
export type TimesByEndpoint = Readonly<Record<string, bigint>>;

/** The phases of a run, read from the marks of its journal. A time is undefined if its mark is missing. */
export interface RecoveredPhases {
  readonly profilingStartNs: bigint | undefined;
  readonly profilingEndNs: bigint | undefined;
  readonly runEndNs: bigint | undefined;
  /** True if the run was interrupted or killed. */
  readonly cancelled: boolean;
  /** Returns the boundary samples of the endpoint with this index. */
  readonly boundaries: (endpoint: number) => BoundarySamples;
  /** Fields of the run record that are read from marks. */
  readonly recordFields: Pick<RunRecord, 'marks' | 'settling' | 'scraping' | 'sources'>;
}

/** Reads the phases of a run from its journal marks, which must be in the order they were written. */
export function readPhases(journal: readonly JournalMark[]): RecoveredPhases {
  const findLast = (kind: string): JournalMark | undefined => journal.findLast(mark => mark.kind === kind);
  const listData = <T>(kind: string): T[] =>
    journal.filter(mark => mark.kind === kind).map(({ data }) => data as T);
  const end = findLast(MARK.runEnd);
  const marks = listData<MarkRecord>(MARK.external).map(upgradeMark);
  const settling = listData<SettlingRecord>(MARK.settled).map(upgradeSettling);
  const sources = new Map(listData<SourceRecord>(MARK.source).map(source => [source.name, source]));
  const scraping = findLast(MARK.scraping)?.data as ScrapingRecord | undefined;
  return {
    profilingStartNs: findLast(MARK.profilingStart)?.atNs,
    profilingEndNs: findLast(MARK.profilingEnd)?.atNs,
    runEndNs: end?.atNs,
    cancelled: ((end?.data ?? { cancelled: true }) as { cancelled: boolean }).cancelled,
    boundaries: readBoundaries(journal),
    recordFields: {
      ...(marks.length > 0 ? { marks } : {}),
      ...(settling.length > 0 ? { settling } : {}),
      ...(scraping ? { scraping } : {}),
      ...(sources.size > 0 ? { sources: [...sources.values()] } : {}),
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

/** Creates boundary samples without undefined fields. */
export function toBoundarySamples(
  baselineNs: bigint | undefined,
  closingNs: bigint | undefined,
): BoundarySamples {
  return {
    ...(baselineNs === undefined ? {} : { baseline_ns: baselineNs }),
    ...(closingNs === undefined ? {} : { closing_ns: closingNs }),
  };
}
