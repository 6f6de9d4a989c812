import type { ParameterValue } from '@org/analysis/files';
import type { RowSource, RunPosition } from './rowSource.ts';

/** A column of all views that describes the run of a row, in addition to its name. */
export interface RunColumn {
  readonly name: string;
  readonly type: 'VARCHAR' | 'BIGINT' | 'DOUBLE';
  /** Returns the value of a run; undefined if it has none. */
  read(position: RunPosition): ParameterValue | undefined;
}

/**
 * Lists the columns that name the variation, the value of each swept parameter, and the trial; none without sweeps and
 * repeated runs. A name that is taken by a column of the Parquet files is prefixed.
 */
export function listRunColumns(
  sources: readonly RowSource[],
  takenNames: readonly string[],
): readonly RunColumn[] {
  const positions = sources.flatMap(({ position }) => position ?? []);
  if (positions.length === 0) return [];
  const parameters = new Set(positions.flatMap(({ parameters: values }) => Object.keys(values)));
  const columns: RunColumn[] = [
    { name: 'variation', type: 'VARCHAR', read: ({ variation }) => variation },
    ...[...parameters].map(parameter => createParameterColumn(parameter, positions)),
    { name: 'trial', type: 'BIGINT', read: ({ trial }) => trial },
  ];
  const isSweep = positions.some(({ variation }) => variation !== undefined);
  return columns
    .filter(({ name }) => isSweep || name !== 'variation')
    .map(column => (takenNames.includes(column.name) ? { ...column, name: `run_${column.name}` } : column));
}

function createParameterColumn(name: string, positions: readonly RunPosition[]): RunColumn {
  const read: RunColumn['read'] = ({ parameters }) => parameters[name];
  const values = positions.flatMap(position => read(position) ?? []);
  const type = values.every(Number.isSafeInteger) ? 'BIGINT' : 'DOUBLE';
  return { name, type: values.every(value => typeof value === 'number') ? type : 'VARCHAR', read };
}
