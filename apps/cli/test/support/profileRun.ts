import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProfileExport, ProfileMetric, ProfileRecord, ProfileTimeslices } from '@org/formats';
import {
  fromPath,
  isWarmupRecord,
  readProfileExport,
  readProfileRecords,
  readProfileTimeslices,
} from '@org/formats/read';
import { type ProfileResult, profile, type RunOptions } from '@org/run';
import { onTestFinished } from 'vitest';
import { readProfile } from './options.ts';
import { FAST_SCRAPES } from './servelens.ts';
import { makeTestFolder } from './temporaryFolder.ts';

/** Model of the simulated server. */
export const MODEL = 'servelens/simulated-8b';

/** Exports of the client. `slices` is undefined for a run without timeslices. */
export interface ClientExports {
  readonly document: ProfileExport;
  /** Requests of the profiling phase. */
  readonly records: readonly ProfileRecord[];
  readonly warmupRecords: readonly ProfileRecord[];
  readonly slices: ProfileTimeslices | undefined;
}

export type FolderResult = ProfileResult & { readonly folder: string };

/**
 * Executes a profile run in a folder that is removed after the current test. If the run is still active then,
 * it is aborted.
 */
export async function runProfile(
  url: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<FolderResult> {
  const controller = new AbortController();
  onTestFinished(() => controller.abort());
  return runProfileInto(makeTestFolder(), url, args, { signal: controller.signal, ...options });
}

/** Executes a profile run in a folder. */
export async function runProfileInto(
  folder: string,
  url: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<FolderResult> {
  const fixed = ['--model', MODEL, '--url', url, '--artifact-dir', folder, '--random-seed', '7'];
  const { plan } = readProfile([...fixed, ...args], folder, FAST_SCRAPES);
  const result = await profile(plan, { version: '0.0.0', cliCommand: 'servelens profile', ...options });
  return { ...result, folder };
}

/** Reads the exports of the client. */
export async function readClientExports(folder: string): Promise<ClientExports> {
  const records: ProfileRecord[] = [];
  const warmupRecords: ProfileRecord[] = [];
  for await (const record of readProfileRecords(fromPath(join(folder, 'profile_export.jsonl'))))
    (isWarmupRecord(record) ? warmupRecords : records).push(record);
  const slicesPath = join(folder, 'profile_export_aiperf_timeslices.json');
  return {
    document: await readProfileExport(fromPath(join(folder, 'profile_export_aiperf.json'))),
    records,
    warmupRecords,
    slices: await readProfileTimeslices(fromPath(slicesPath)).catch(() => undefined),
  };
}

/** Returns a metric of a document or timeslice. Throws if it is missing. */
export function getMetric(document: object, tag: string): ProfileMetric {
  const metric = (document as Record<string, ProfileMetric | undefined>)[tag];
  if (!metric) throw new Error(`${tag} is missing`);
  return metric;
}

/** Counts the profiling requests in the complete lines of profile_export.jsonl; 0 if the file does not exist. */
export function countRequests(folder: string): number {
  try {
    const lines = readFileSync(join(folder, 'profile_export.jsonl'), 'utf8').split('\n').slice(0, -1);
    return lines.filter(line => line.includes('"benchmark_phase":"profiling"')).length;
  } catch {
    return 0;
  }
}

/** Computes a percentile with linear interpolation, like the default of numpy.percentile. */
export function computePercentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const rank = ((sorted.length - 1) * percent) / 100;
  const low = sorted[Math.floor(rank)]!;
  return low + (sorted[Math.ceil(rank)]! - low) * (rank - Math.floor(rank));
}

/** Sorts Unix times in nanoseconds, earliest first. */
export function sortTimes(times: readonly bigint[]): bigint[] {
  return [...times].sort((a, b) => Number(a - b));
}
