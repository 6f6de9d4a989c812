import { basename, dirname, relative, resolve } from 'node:path';
import { UsageError } from '@org/terminal';
import type { RowSource } from '../query/rowSource.ts';

/** A run with its name in the dataset. */
export interface NamedRun {
  readonly name: string;
  readonly source: RowSource;
}

/**
 * Names the runs of an argument: a run has the name of its folder, and a run of a sweep has the path from the folder of the
 * sweep, which precedes it.
 */
export function nameRuns(argument: string, sources: readonly RowSource[], cwd: string): NamedRun[] {
  return sources.map(source => ({ name: nameRun(argument, source, cwd), source }));
}

function nameRun(argument: string, { run, parquet, position }: RowSource, cwd: string): string {
  const folder = resolve(cwd, run === parquet ? dirname(run) : run);
  if (!position) return basename(folder);
  const root = resolve(cwd, argument);
  return [basename(root), ...relative(root, folder).split(/[\\/]/)].filter(part => part !== '').join('/');
}

/**
 * Checks that no two runs have the same name, and thus the same files.
 *
 * @throws UsageError if they do
 */
export function checkNames(runs: readonly NamedRun[]): void {
  const known = new Map<string, string>();
  for (const { name, source } of runs) {
    const other = known.get(name);
    if (other !== undefined)
      throw new UsageError(
        `two runs have the name ${JSON.stringify(name)}: ${other} and ${source.run}; rename a folder, or write to another dataset`,
      );
    known.set(name, source.run);
  }
}
