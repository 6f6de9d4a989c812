import { formatValue } from '@org/core';
import type { MetricRow } from '../src/sweep/runSetDocument.ts';
import { type Cell, type Column, createTextCell } from './column.ts';
import { createDataTable } from './dataTable.ts';

/** Creates the table of all statistics, with a column per variation. */
export function createMetricTable(
  id: string,
  rows: readonly MetricRow[],
  columns: readonly string[],
): HTMLElement {
  const hasLabels = rows.some(({ labels }) => labels !== '');
  const tableColumns: Column<MetricRow>[] = [
    { name: 'metric', cell: row => createTextCell(row.name) },
    ...(hasLabels ? [{ name: 'series', cell: (row: MetricRow) => createTextCell(row.labels) }] : []),
    { name: 'statistic', cell: row => createTextCell(row.stat) },
    { name: 'unit', cell: row => createTextCell(row.unit) },
    ...columns.map(
      (name, i): Column<MetricRow> => ({
        name,
        isNumber: true,
        cell: ({ values, unit }) => createEstimateCell(values[i] ?? null, unit),
      }),
    ),
  ];
  return createDataTable(
    `${id}-table`,
    id === 'client' ? 'Client metrics' : 'Server metrics',
    tableColumns,
    rows,
  );
}

/** Creates a cell with the mean and, if available, half the width of its confidence interval. */
export function createEstimateCell(value: MetricRow['values'][number], unit: string): Cell {
  if (value === null) return { text: '', sort: null };
  const [mean, half] = value;
  const text = formatValue(mean, unit);
  return { text: half === null ? text : `${text} ± ${formatValue(half, unit)}`, sort: mean };
}
