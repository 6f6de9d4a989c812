import type { JournalMark } from '@org/scrape';
import type { EdgesRecord, MarkRecord, RunRecord, ScrapingRecord, SettlingRecord } from '../runRecord.ts';

/** The moments of a run that stand in its journal. */
export const MARK = {
  /** With the baselines of the endpoints, by index. One that comes later takes the place of one before. */
  profilingStart: 'profiling_start',
  profilingEnd: 'profiling_end',
  /** Baselines and closing samples that came by themselves, by index. */
  baseline: 'baseline',
  closing: 'closing',
  /** What somebody else said. */
  said: 'mark',
  settled: 'settled',
  /** What scraping has cost by then. */
  scraping: 'scraping',
  runEnd: 'run_end',
} as const;

/** Times by the index of the endpoint. */
export type TimesByEndpoint = Readonly<Record<string, bigint>>;

/** What the moments in a journal say of a run. */
export interface Moments {
  readonly profilingStartNs: bigint | undefined;
  readonly profilingEndNs: bigint | undefined;
  readonly runEndNs: bigint | undefined;
  readonly cancelled: boolean;
  readonly edges: (endpoint: number) => EdgesRecord;
  readonly about: Pick<RunRecord, 'marks' | 'settling' | 'scraping'>;
}

/** Reads the moments of a run, in the order in which they were written. */
export function momentsOf(journal: readonly JournalMark[]): Moments {
  const last = (kind: string): JournalMark | undefined => journal.findLast(mark => mark.kind === kind);
  const all = <T>(kind: string): T[] =>
    journal.filter(mark => mark.kind === kind).map(({ data }) => data as T);
  const end = last(MARK.runEnd);
  const marks = all<MarkRecord>(MARK.said);
  const settling = all<SettlingRecord>(MARK.settled);
  const scraping = last(MARK.scraping)?.data as ScrapingRecord | undefined;
  return {
    profilingStartNs: last(MARK.profilingStart)?.atNs,
    profilingEndNs: last(MARK.profilingEnd)?.atNs,
    runEndNs: end?.atNs,
    cancelled: ((end?.data ?? { cancelled: true }) as { cancelled: boolean }).cancelled,
    edges: edgesOf(journal),
    about: {
      ...(marks.length > 0 ? { marks } : {}),
      ...(settling.length > 0 ? { settling } : {}),
      ...(scraping ? { scraping } : {}),
    },
  };
}

function edgesOf(journal: readonly JournalMark[]): Moments['edges'] {
  let baselines: TimesByEndpoint = {};
  let closings: TimesByEndpoint = {};
  for (const { kind, data } of journal) {
    const times = (data ?? {}) as TimesByEndpoint;
    if (kind === MARK.profilingStart) baselines = times;
    else if (kind === MARK.baseline) baselines = { ...baselines, ...times };
    else if (kind === MARK.closing) closings = { ...closings, ...times };
  }
  return endpoint => edgesRecord(baselines[endpoint], closings[endpoint]);
}

/** What is known of the two ends. */
export function edgesRecord(baselineNs: bigint | undefined, closingNs: bigint | undefined): EdgesRecord {
  return {
    ...(baselineNs === undefined ? {} : { baseline_ns: baselineNs }),
    ...(closingNs === undefined ? {} : { closing_ns: closingNs }),
  };
}
