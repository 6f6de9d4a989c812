import { findParetoPoints, formatValue } from '@org/core';
import type { Estimate, MetricRow, RunSetDocument } from '../src/sweep/runSetDocument.ts';
import { type Cell, type Column, createTextCell } from './column.ts';
import { createCurveSection, findMainLatency } from './curveSection.ts';
import { createDataTable } from './dataTable.ts';
import { createSection } from './element.ts';
import { createComparisonSection } from './tableSections.ts';

/** Creates the page sections of a sweep or of repeated runs. */
export function createRunSetSections({
  sweep,
  comparison,
  columns,
  client,
  servers,
}: RunSetDocument): HTMLElement[] {
  return [
    ...(sweep ? [createCurveSection(sweep), createVariationSection(sweep)] : []),
    ...(comparison ? [createComparisonSection(comparison)] : []),
    createMetricSection('client', 'Client metrics', client, columns),
    ...(servers.length > 0 ? [createMetricSection('servers', 'Server metrics', servers, columns)] : []),
  ];
}

function createVariationSection({
  columns,
  latencies,
  variations,
}: NonNullable<RunSetDocument['sweep']>): HTMLElement {
  type Row = (typeof variations)[number];
  const optimal = findOptimalVariations(variations, findMainLatency(latencies) ?? '');
  const tableColumns: Column<Row>[] = [
    { name: 'Pareto-optimal', cell: row => createTextCell(optimal.has(row) ? '●' : '') },
    { name: 'variation', cell: row => createTextCell(row.name) },
    { name: 'runs', isNumber: true, cell: ({ runs }) => ({ text: String(runs ?? ''), sort: runs }) },
    {
      name: 'failed',
      isNumber: true,
      cell: ({ failures }) => ({ text: failures?.text ?? '', sort: failures?.failed ?? null }),
    },
    ...columns.map(
      ({ metric, short, unit }): Column<Row> => ({
        name: short,
        isNumber: true,
        cell: ({ estimates }) => createEstimateCell(estimates[metric] ?? null, unit),
      }),
    ),
  ];
  return createSection(
    'variations',
    'Variations',
    createDataTable(
      'variation-table',
      'Variations; ● marks Pareto-optimal ones: no other variation has more requests/s and a lower p99 latency',
      tableColumns,
      variations,
    ),
  );
}

/** Finds the variations that are Pareto-optimal in requests/s and the metric `latency`. */
export function findOptimalVariations<Row extends { readonly estimates: Readonly<Record<string, Estimate>> }>(
  variations: readonly Row[],
  latency: string,
): ReadonlySet<Row> {
  const comparable = variations.filter(
    ({ estimates }) => estimates.request_throughput_avg && estimates[latency],
  );
  const points = comparable.map(({ estimates }) => ({
    maximized: estimates.request_throughput_avg!.mean,
    minimized: estimates[latency]!.mean,
  }));
  return new Set(findParetoPoints(points).map(index => comparable[index]!));
}

function createMetricSection(
  id: string,
  heading: string,
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
  return createSection(id, heading, createDataTable(`${id}-table`, heading, tableColumns, rows));
}

/** Creates a cell with the mean and, if available, half the width of its confidence interval. */
export function createEstimateCell(estimate: Estimate | null, unit: string): Cell {
  if (estimate === null) return { text: '', sort: null };
  const mean = formatValue(estimate.mean, unit);
  return {
    text: estimate.half === null ? mean : `${mean} ± ${formatValue(estimate.half, unit)}`,
    sort: estimate.mean,
  };
}
