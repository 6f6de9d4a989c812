import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A number, or a string for a value that JSON cannot represent: "NaN", "+Inf", "-Inf". */
export type Figure = number | string;

/** Cumulative bucket deltas, ordered by bound. */
export type ExpectedBuckets = readonly (readonly [le: string, count: number])[];

/** A timeslice: its figures, optionally its buckets, and its start and end as Unix time in nanoseconds. */
export type ExpectedSlice = Readonly<Record<string, Figure | boolean | ExpectedBuckets | null>> & {
  readonly start_ns: string;
  readonly end_ns: string;
};

/** A documented deviation from the snapshot: the fields that are not compared, and the values that replace them. */
export interface Deviation {
  readonly rule: 'reset' | 'unknown' | 'nan' | 'interval' | 'reference' | 'absent';
  /** The fields that deviate: `*`, `stats`, `buckets`, `timeslices`, `stats.<key>` or `stats.p*_estimate`. */
  readonly fields: readonly string[];
  /** Number of counter resets in the period. */
  readonly resets?: number;
  /** Increase over the period, including increases before and after resets. */
  readonly increase?: number | ExpectedIncrease;
  /** The figures that Servelens computes instead of the snapshot. */
  readonly decided?: { readonly stats: ExpectedStats; readonly timeslices?: readonly ExpectedSlice[] | null };
}

export interface ExpectedIncrease {
  readonly count: number;
  readonly sum: number;
  readonly buckets: ExpectedBuckets;
}

export type ExpectedStats = Readonly<Record<string, Figure>>;

export interface ExpectedSeries {
  readonly endpoint_url: string;
  readonly metric: string;
  readonly type: string;
  readonly unit: string | null;
  readonly labels: Readonly<Record<string, string>> | null;
  readonly stats: ExpectedStats;
  readonly buckets: ExpectedBuckets | null;
  readonly timeslices: readonly ExpectedSlice[] | null;
  readonly deviations?: readonly Deviation[];
}

/** The snapshot: a profiling period of a trace, and the statistics that AIPerf computes for it. */
export interface Expectation {
  readonly trace: string;
  readonly period: { readonly start_ns: string; readonly end_ns: string };
  readonly slice_duration: number | null;
  readonly endpoints: Readonly<Record<string, Readonly<Record<string, Figure>>>>;
  readonly series: readonly ExpectedSeries[];
}

/** Lists the expectation files of a folder, sorted by name. */
export function listExpectationFiles(folder: string): string[] {
  return readdirSync(folder)
    .filter(name => name.endsWith('.expected.json'))
    .sort()
    .map(name => join(folder, name));
}

export function readExpectation(file: string): Expectation {
  return JSON.parse(readFileSync(file, 'utf8')) as Expectation;
}
