import {
  byCodePoint,
  type Column,
  columnsOf,
  FIXED_COLUMNS,
  planLabelColumns,
  RESERVED_COLUMNS,
  VALUE_COLUMNS,
} from '../columns.ts';
import type { ParquetColumn } from '../read/schema.ts';
import type { Findings } from './findings.ts';

/** Checks names, types, nullability and order of the columns (seed 000, "Schema Definition"). */
export function checkColumns(columns: readonly ParquetColumn[], findings: Findings): void {
  const byName = new Map(columns.map(column => [column.name, column]));
  for (const expected of [...FIXED_COLUMNS, ...VALUE_COLUMNS]) {
    const found = byName.get(expected.name);
    if (found) checkColumn(found, expected, findings);
    else findings.add('parquet-column-missing', place(expected.name), 'is not in the file');
  }
  for (const label of labelsAmong(columns)) {
    checkColumn(label, { name: label.name, type: 'string', nullable: true }, findings);
  }
  checkNames(columns, findings);
  checkOrder(columns, findings);
}

/** The columns that are not fixed and hold no values: those of labels. */
export function labelsAmong(columns: readonly ParquetColumn[]): readonly ParquetColumn[] {
  return columns.filter(column => !RESERVED_COLUMNS.includes(column.name));
}

function checkColumn(found: ParquetColumn, expected: Column, findings: Findings): void {
  const { name } = expected;
  if (found.type !== expected.type) {
    const type = found.type === 'other' ? found.declared : found.type;
    findings.add(
      'parquet-column-type',
      place(name),
      `is of type ${type}; ${expected.type} is expected`,
      type,
    );
  }
  if (found.nullable !== expected.nullable) {
    const [is, should] = found.nullable ? ['optional', 'required'] : ['required', 'optional'];
    findings.add('parquet-column-nullable', place(name), `is ${is} and should be ${should}`, is);
  }
}

function checkNames(columns: readonly ParquetColumn[], findings: Findings): void {
  const names = columns.map(column => column.name);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) findings.add('parquet-column-order', place(twice), 'is there twice', twice);
  const labels = planLabelColumns(labelsAmong(columns).map(column => column.name));
  for (const name of labels.excluded) {
    findings.add(
      'parquet-column-case',
      place(name),
      `differs from ${name.toLowerCase()} in case only: DuckDB shows it in the place of that column`,
      name,
    );
  }
  for (const group of labels.ambiguous) {
    const message = `cannot be told from ${group.slice(1).join(', ')} by engines that ignore case, such as DuckDB`;
    findings.add('parquet-column-case', place(group[0]!), message, group[0]);
  }
}

function checkOrder(columns: readonly ParquetColumn[], findings: Findings): void {
  const present = new Set(columns.map(column => column.name));
  const labels = labelsAmong(columns).map(column => column.name);
  const expected = columnsOf(labels.sort(byCodePoint)).filter(({ name }) => present.has(name));
  const at = columns.findIndex((column, i) => column.name !== expected[i]?.name);
  if (at < 0 || present.size !== columns.length) return;
  findings.add(
    'parquet-column-order',
    place(columns[at]!.name),
    `is column ${at}, where ${expected[at]!.name} is expected: fixed columns, labels by name, values`,
    columns[at]!.name,
  );
}

function place(column: string): string {
  return `column ${column}`;
}
