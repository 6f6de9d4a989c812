import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { ProfileAggregate, ProfileSweep, SweepVariation } from '@org/formats';
import { AGGREGATE_FOLDER, formatVariationFolder, type ParameterValue } from '@org/record';

/** Name of the file with the aggregate of a benchmark, or of a variation of a sweep. */
export const AGGREGATE_FILE = 'profile_export_aiperf_aggregate.json';

/**
 * Adds the number of successful runs to each variation of a sweep of AIPerf, whose file contains only the total. If runs
 * failed, the numbers are read from the aggregates next to the file. Unknown numbers are left out.
 */
export async function addRunCounts(sweep: ProfileSweep, file: string): Promise<ProfileSweep> {
  const variations = sweep.per_combination_metrics;
  if (variations.every(({ num_successful_runs: runs }) => runs !== undefined)) return sweep;
  const trials = sweep.metadata.num_trials_per_value ?? sweep.metadata.num_trials ?? 1;
  const isKnown = trials === 1 || sweep.num_successful_runs === trials * variations.length;
  const counted = await Promise.all(
    variations.map(async variation => {
      const runs = isKnown ? trials : await readRunCount(variation, file);
      return runs === undefined ? variation : { ...variation, num_successful_runs: runs };
    }),
  );
  return { ...sweep, per_combination_metrics: counted };
}

async function readRunCount({ parameters }: SweepVariation, file: string): Promise<number | undefined> {
  const folder = formatVariationFolder(parameters as Readonly<Record<string, ParameterValue>>);
  const parent = dirname(dirname(file));
  const candidates = [
    join(parent, folder),
    join(parent, AGGREGATE_FOLDER, folder),
    join(parent, folder, AGGREGATE_FOLDER),
  ];
  for (const candidate of basename(parent) === AGGREGATE_FOLDER ? candidates.slice(0, 1) : candidates) {
    const text = await readFile(join(candidate, AGGREGATE_FILE), 'utf8').catch(() => undefined);
    if (text !== undefined) return parseRunCount(text);
  }
  return undefined;
}

/** Parses the number of successful runs of an aggregate. Returns undefined if the file is incomplete. */
function parseRunCount(text: string): number | undefined {
  try {
    return (JSON.parse(text) as Partial<ProfileAggregate>).metadata?.num_successful_runs;
  } catch {
    return undefined;
  }
}
