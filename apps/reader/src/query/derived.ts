import type { DuckDBConnection } from '@duckdb/node-api';
import type { DerivedValue, Run } from '@org/analysis';
import { quoteName } from './views.ts';

/** The columns of the view `derived` that describe the value: name, SQL type. */
const COLUMNS = [
  ['metric_name', 'VARCHAR'],
  ['unit', 'VARCHAR'],
  ['server', 'VARCHAR'],
  ['endpoint', 'VARCHAR'],
  ['component', 'VARCHAR'],
  ['start_ns', 'BIGINT'],
  ['end_ns', 'BIGINT'],
  ['value', 'DOUBLE'],
  ['is_exact', 'BOOLEAN'],
  ['missing', 'VARCHAR'],
] as const;

/** The names of the columns of the view `derived`. */
export const DERIVED_COLUMNS: readonly string[] = COLUMNS.map(([name]) => name);

/** Returns the statements that create the view `derived`, which is empty until its rows are appended. */
export function createDerivedView(runNames: readonly string[]): readonly string[] {
  const columns = [['run', 'VARCHAR'], ...COLUMNS].map(([name, type]) => `${quoteName(name!)} ${type}`);
  return [
    `CREATE TABLE run_derived (${columns.join(', ')})`,
    `CREATE VIEW derived AS SELECT ${runNames.map(name => `runs.${name}`).join(', ')}, derived.* EXCLUDE (run)
     FROM run_derived derived JOIN run_files runs ON runs.run = derived.run`,
  ];
}

type Appender = Awaited<ReturnType<DuckDBConnection['createAppender']>>;

/** Appends the derived metrics of a run: a row for the period, without times, and a row per timeslice. */
export function appendDerived(
  appender: Appender,
  run: string,
  opened: Run,
  computeDerived: (run: Run) => readonly DerivedValue[],
): void {
  for (const derived of computeDerived(opened)) {
    appendRow(appender, run, derived, derived);
    for (const slice of derived.slices) appendRow(appender, run, derived, slice);
  }
}

/** The value of the period or of a slice. */
interface Part {
  readonly value: number | undefined;
  readonly startNs?: bigint;
  readonly endNs?: bigint;
}

function appendRow(appender: Appender, run: string, derived: DerivedValue, part: Part): void {
  const { name, unit, server, endpoint, labels, isExact, missing } = derived;
  for (const text of [run, name, unit, server, endpoint, labels.component ?? null])
    text === null ? appender.appendNull() : appender.appendVarchar(text);
  for (const time of [part.startNs, part.endNs])
    time === undefined ? appender.appendNull() : appender.appendBigInt(time);
  part.value === undefined ? appender.appendNull() : appender.appendDouble(part.value);
  appender.appendBoolean(isExact);
  missing === undefined ? appender.appendNull() : appender.appendVarchar(missing);
  appender.endRow();
}
