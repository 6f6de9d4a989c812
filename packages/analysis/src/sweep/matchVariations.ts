import { join } from 'node:path';
import { FormatError } from '@org/formats/read';
import { listSweptRuns, type SweptRun } from '@org/record';
import { isFolder, RunError } from '../run/input.ts';
import { type OpenOptions, openRun } from '../run/openRun.ts';
import type { Run } from '../run/run.ts';
import { readSearch } from './readSearch.ts';

/** A variation that exists in both sweeps, with the folders of its runs. */
export interface VariationPair {
  /** Name of the variation in the base. */
  readonly name: string;
  readonly parameters: SweptRun['parameters'];
  readonly base: readonly string[];
  readonly new: readonly string[];
}

/** The variations of two sweeps, matched by the values of their parameters. */
export interface VariationMatches {
  readonly pairs: readonly VariationPair[];
  /** Names of variations without a counterpart. */
  readonly onlyBase: readonly string[];
  readonly onlyNew: readonly string[];
}

/** A variation of one or several sweeps. */
interface Variation extends Pick<VariationPair, 'name' | 'parameters'> {
  readonly runs: readonly string[];
}

/**
 * Matches the variations of sweeps by the values of their parameters, or by their names if the values are unknown.
 * Several sweeps on one side count as repeats. Returns undefined if no path is a sweep.
 *
 * @throws RunError if only some of the paths are sweeps, or if no variation has a counterpart
 */
export async function matchVariations(
  base: readonly string[],
  others: readonly string[],
): Promise<VariationMatches | undefined> {
  const sides = [await listSweeps(base), await listSweeps(others)] as const;
  const sweeps = sides.flat();
  if (sweeps.every(({ runs }) => runs.length === 0)) return undefined;
  const single = sweeps.find(({ runs }) => runs.length === 0);
  if (single)
    throw new RunError(
      `cannot compare the sweep ${JSON.stringify(sweeps.find(({ runs }) => runs.length > 0)!.path)} with ${JSON.stringify(single.path)}, which is not a sweep; specify a variation, such as ${sweeps.find(({ runs }) => runs.length > 0)!.runs[0]!.folder}`,
    );
  const [from, to] = sides.map(side => groupVariations(side.flatMap(({ runs }) => runs))) as [
    Map<string, Variation>,
    Map<string, Variation>,
  ];
  const pairs = [...from].flatMap(([key, { name, parameters, runs }]) => {
    const counterpart = to.get(key);
    return counterpart ? [{ name, parameters, base: runs, new: counterpart.runs }] : [];
  });
  const listOthers = (side: typeof from, other: typeof from): string[] =>
    [...side].flatMap(([key, { name }]) => (other.has(key) ? [] : [name]));
  const matches = { pairs, onlyBase: listOthers(from, to), onlyNew: listOthers(to, from) };
  if (pairs.length > 0) return matches;
  throw new RunError(
    `the sweeps have no variation in common: the base has ${matches.onlyBase.join(', ')}, and the new one ${matches.onlyNew.join(', ')}`,
  );
}

/** The runs of a path that are part of a sweep; empty for any other path. */
interface Sweep {
  readonly path: string;
  readonly runs: readonly SweptRun[];
}

async function listSweeps(paths: readonly string[]): Promise<Sweep[]> {
  return Promise.all(
    paths.map(async path => {
      const runs = (await isFolder(path)) ? await listSweptRuns(path) : [];
      const early = runs.length > 0 ? await listEarlyEnds(path) : new Set();
      return {
        path,
        runs: runs.filter(({ variation, folder }) => variation !== undefined && !early.has(folder)),
      };
    }),
  );
}

/** Lists the runs that a search has ended early. They measured only their first requests, so aggregates exclude them, too. */
async function listEarlyEnds(path: string): Promise<ReadonlySet<string>> {
  const { iterations = [] } = (await readSearch(path)) ?? {};
  const folders = iterations.flatMap(({ run, ended_early: reason }) =>
    run === undefined || reason === undefined ? [] : join(path, run),
  );
  return new Set(folders);
}

function groupVariations(runs: readonly SweptRun[]): Map<string, Variation> {
  const variations = new Map<string, Variation>();
  for (const { folder, variation, parameters } of runs) {
    const entries = Object.entries(parameters).sort(([a], [b]) => (a < b ? -1 : 1));
    const key = entries.length > 0 ? JSON.stringify(entries) : variation!;
    const known = variations.get(key);
    variations.set(key, { name: variation!, parameters, runs: [...(known?.runs ?? []), folder] });
  }
  return variations;
}

/** The runs of one side of a comparison that can be compared, and the paths of the incomplete ones. */
export interface CompleteRuns {
  readonly runs: readonly Run[];
  readonly incomplete: readonly string[];
}

/** Opens the runs of a variation or of a repeated benchmark, one at a time, and skips incomplete ones. */
export async function openCompleteRuns(
  folders: readonly string[],
  open: OpenOptions = {},
): Promise<CompleteRuns> {
  const runs: Run[] = [];
  const incomplete: string[] = [];
  for (const folder of folders) {
    const run = await openRun(folder, open).catch((error: unknown) => {
      if (error instanceof RunError || error instanceof FormatError) return undefined;
      throw error;
    });
    if (run && run.seriesCount > 0) runs.push(run);
    else incomplete.push(folder);
  }
  return { runs, incomplete };
}
