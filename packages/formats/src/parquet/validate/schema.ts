import {
  type Column,
  compareCodePoints,
  FIXED_COLUMNS,
  listColumns,
  planLabelColumns,
  RESERVED_COLUMNS,
  VALUE_COLUMNS,
} from '../columns.ts';
import type { ParquetColumn } from '../read/schema.ts';
import { type Findings, locateColumn } from './findings.ts';

/**
 * Checks the names, types and order of the columns. Writers such as pyarrow make all columns optional, so the rows are
 * checked for nulls instead.
 */
export function checkColumns(columns: readonly ParquetColumn[], findings: Findings): void {
  const byName = new Map(columns.map(column => [column.name, column]));
  for (const expected of [...FIXED_COLUMNS, ...VALUE_COLUMNS]) {
    const found = byName.get(expected.name);
    if (found) checkColumn(found, expected, findings);
    else
      findings.add(
        'parquet-column-missing',
        locateColumn(expected.name),
        `is missing; expected a column of type ${expected.type}`,
      );
  }
  for (const label of listLabelColumns(columns)) {
    checkColumn(label, { name: label.name, type: 'string', nullable: true }, findings);
  }
  checkNames(columns, findings);
  checkOrder(columns, findings);
}

/** Lists the label columns. */
export function listLabelColumns(columns: readonly ParquetColumn[]): readonly ParquetColumn[] {
  return columns.filter(column => !RESERVED_COLUMNS.includes(column.name));
}

function checkColumn(found: ParquetColumn, expected: Column, findings: Findings): void {
  const { name } = expected;
  if (found.type !== expected.type) {
    const type = found.type === 'other' ? found.declared : found.type;
    findings.add(
      'parquet-column-type',
      locateColumn(name),
      `has type ${type}; expected ${expected.type}`,
      type,
    );
  }
}

function checkNames(columns: readonly ParquetColumn[], findings: Findings): void {
  const names = columns.map(column => column.name);
  const duplicate = names.find((name, i) => names.indexOf(name) !== i);
  if (duplicate !== undefined)
    findings.add(
      'parquet-column-order',
      locateColumn(duplicate),
      'is a duplicate; column names must be unique',
      duplicate,
    );
  const labels = planLabelColumns(listLabelColumns(columns).map(column => column.name));
  for (const name of labels.excluded) {
    findings.add(
      'parquet-column-case',
      locateColumn(name),
      `differs from ${name.toLowerCase()} in case only; DuckDB shows this column instead`,
      name,
    );
  }
  for (const group of labels.ambiguous) {
    const message = `differs from ${group.slice(1).join(', ')} in case only; case-insensitive engines such as DuckDB cannot distinguish them`;
    findings.add('parquet-column-case', locateColumn(group[0]!), message, group[0]);
  }
}

function checkOrder(columns: readonly ParquetColumn[], findings: Findings): void {
  const present = new Set(columns.map(column => column.name));
  const labels = listLabelColumns(columns).map(column => column.name);
  const expected = listColumns(labels.sort(compareCodePoints)).filter(({ name }) => present.has(name));
  const mismatch = columns.findIndex((column, i) => column.name !== expected[i]?.name);
  if (mismatch < 0 || present.size !== columns.length) return;
  findings.add(
    'parquet-column-order',
    locateColumn(columns[mismatch]!.name),
    `is column ${mismatch}, but ${expected[mismatch]!.name} is expected there; the order is fixed columns, labels by name, values`,
    columns[mismatch]!.name,
  );
}
