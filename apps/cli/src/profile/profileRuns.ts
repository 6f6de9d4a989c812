import type { ConfigFile } from '@org/discovery/config';
import type { Discovery } from '@org/discovery/sources';
import type { ParameterValue } from '@org/record';
import {
  describeFailedRun,
  isSuccess,
  planRuns,
  planSearch,
  type RepeatPlan,
  type RunOutcome,
  type Variation,
} from '@org/run';
import type { DefinitionFile } from '@org/servers';
import { UsageError } from '@org/terminal';
import type { Io, RawOptions } from '@org/terminal/program';
import { type ProfileOptions, readProfileOptions } from './profileOptions.ts';
import { readRepetition } from './repetition.ts';
import { readSearch, type SearchOptions } from './search/readSearch.ts';
import { rejectShardedRuns } from './shardPlan.ts';
import { findSweepableOption, readVariations } from './sweepVariations.ts';
import { readVariants } from './variants.ts';

/** Validated options of repeated runs or a sweep. */
export interface ProfileRuns {
  readonly runs: RepeatPlan;
  /** The options of each variation, by variation index; for a search, the options of its lowest values. */
  readonly options: readonly ProfileOptions[];
  /** Reads the options of a variation that a search has added. */
  readonly readVariation?: (variation: Variation) => ProfileOptions;
}

/**
 * Reads the options of repeated runs (`--num-profile-runs`) and sweeps (a list such as `--concurrency 1,2,4`, or
 * `--variant`). Returns undefined if the options describe a single run. Throws `UsageError` if an option or a variation
 * is invalid.
 *
 * @param file the configuration file, as for `readProfileOptions`
 * @param servers definitions of servers, as for `readProfileOptions`
 * @param discovery the sources of endpoints, as for `readProfileOptions`
 */
export function readProfileRuns(
  raw: RawOptions,
  io: Io,
  file?: ConfigFile,
  servers?: readonly DefinitionFile[],
  discovery?: Discovery,
): ProfileRuns | undefined {
  const search = readSearch(raw);
  if (search && raw.variant !== undefined)
    throw new UsageError('cannot use both --variant and a search or one of its recipes');
  if (search?.kind === 'search') {
    rejectShardedRuns(raw);
    return readSearchRuns(search, io, file, servers, discovery);
  }
  const variations = search?.variations ?? readVariants(raw) ?? readVariations(raw);
  const planned = planRuns(variations, readRepetition(raw, variations.parameters.length > 0));
  const runs = search ? { ...planned, recipe: search.result } : planned;
  if (runs.runs.length === 1 && !runs.isSweep) return undefined;
  rejectShardedRuns(raw);
  return {
    runs,
    options: variations.variations.map(variation =>
      readProfileOptions(variation.raw, io, file, servers, discovery),
    ),
  };
}

/** Returns the number of planned runs; of a search, the maximum. */
export function countRuns({ runs, repetition, search }: RepeatPlan): string {
  return search ? `at most ${search.maxIterations * repetition.runs}` : String(runs.length);
}

/** Reports whether a run succeeded and at most half of its requests failed. */
export function isUsable(outcome: RunOutcome): boolean {
  return isSuccess(outcome) && describeFailedRun(outcome.counts) === undefined;
}

/** Reads the options of a search. The options of the lowest and the highest values are checked before the first run. */
function readSearchRuns(
  { plan, raw }: Extract<SearchOptions, { readonly kind: 'search' }>,
  io: Io,
  file?: ConfigFile,
  servers?: readonly DefinitionFile[],
  discovery?: Discovery,
): ProfileRuns {
  const read = (values: Readonly<Record<string, ParameterValue>>): ProfileOptions => {
    const options = plan.dimensions.map(({ path }) => [findSweepableOption(path)!.option, values[path]!]);
    return readProfileOptions({ ...raw, ...Object.fromEntries(options) }, io, file, servers, discovery);
  };
  const readAll = (end: 'low' | 'high'): ProfileOptions =>
    read(Object.fromEntries(plan.dimensions.map(dimension => [dimension.path, dimension[end]])));
  const lowest = readAll('low');
  readAll('high');
  return {
    runs: planSearch(plan, readRepetition(raw, true)),
    options: [lowest],
    readVariation: ({ values }) => read(values),
  };
}
