import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { ProfileAggregate, ProfileSweep, SweepVariation } from '@org/formats';
import { readProfileAggregate, readProfileSweep } from '@org/formats/read';
import { stringifyJson } from '@org/formats/write';
import { openInput } from '../run/input.ts';
import { RunError } from '../run/runError.ts';
import { findRepeatedRuns, isFolder } from '../run/runFiles.ts';

/** What several runs said together: the same benchmark again, or with other parameters. */
export type RunSet =
  | { readonly name: string; readonly kind: 'sweep'; readonly sweep: ProfileSweep }
  | { readonly name: string; readonly kind: 'repeated'; readonly aggregate: ProfileAggregate };

const SWEEP_FILE = 'profile_export_aiperf_sweep.json';
const AGGREGATE_FILE = 'profile_export_aiperf_aggregate.json';

/** Where a sweep says what it gave, in its folder: ours, and AIPerf's with repeated runs. */
const SWEEP_PLACES = ['sweep_aggregate', join('aggregate', 'sweep_aggregate'), '.'];
const AGGREGATE_PLACES = ['aggregate', '.'];

/**
 * Opens the folder of a sweep or of repeated runs, or the file that says what they gave. Undefined for anything else, such as
 * one run.
 *
 * @throws RunError when there is no such folder or file, or nothing that puts its runs together; FormatError for a file that is broken.
 */
export async function openRunSet(name: string): Promise<RunSet | undefined> {
  if (!(await isFolder(name))) return await openNamed(name, name);
  const file =
    (await firstIn(name, SWEEP_PLACES, SWEEP_FILE)) ??
    (await firstIn(name, AGGREGATE_PLACES, AGGREGATE_FILE));
  if (file !== undefined) return await openNamed(name, file);
  const [first] = await findRepeatedRuns(name);
  if (first === undefined || first === name) return undefined;
  throw new RunError(
    `${JSON.stringify(name)} has runs, but no ${AGGREGATE_FILE} of them, which takes two that are complete; name one of them, such as ${first}`,
  );
}

async function openNamed(name: string, file: string): Promise<RunSet | undefined> {
  if (/_sweep\.json$/.test(basename(file)))
    return { name, kind: 'sweep', sweep: await readProfileSweep(await openInput(file)) };
  if (/_aggregate\.json$/.test(basename(file)))
    return { name, kind: 'repeated', aggregate: await readProfileAggregate(await openInput(file)) };
  return undefined;
}

async function firstIn(folder: string, places: readonly string[], file: string): Promise<string | undefined> {
  for (const place of places) {
    const names: readonly string[] = await readdir(join(folder, place)).catch(() => []);
    if (names.includes(file)) return join(folder, place, file);
  }
  return undefined;
}

/** The name of a variation: its label, or its parameters where the file has none (AIPerf's). */
export function formatVariationName({ variation_label: label, parameters }: SweepVariation): string {
  if (label !== undefined) return label;
  return Object.entries(parameters)
    .map(([name, value]) => `${name}_${formatParameter(value)}`)
    .join('__');
}

/** The value of a parameter as people read it; it belongs to the user, and may be anything. */
export function formatParameter(value: unknown): string {
  return typeof value === 'object' ? stringifyJson(value) : String(value);
}
