import { findParetoPoints, formatValue } from '@org/core';
import type { PageFigure, PageRow, RunSetDocument } from '../src/sweep/page.ts';
import { curveSection, latencyOf } from './curve.ts';
import { type Cell, type Column, dataTable } from './dataTable.ts';
import { section } from './element.ts';

/** The sections of the page of a sweep or of repeated runs. */
export function severalSections(report: RunSetDocument): HTMLElement[] {
  const { sweep, columns, client, servers } = report;
  return [
    ...(sweep ? [curveSection(sweep), variationSection(sweep)] : []),
    figureSection('client', 'Client metrics', client, columns),
    ...(servers.length > 0 ? [figureSection('servers', 'Server metrics', servers, columns)] : []),
  ];
}

function variationSection({
  columns,
  latencies,
  variations,
}: NonNullable<RunSetDocument['sweep']>): HTMLElement {
  type Row = (typeof variations)[number];
  const best = bestOf(variations, latencyOf(latencies) ?? '');
  const made: Column<Row>[] = [
    { name: 'unsurpassed', cell: row => word(best.has(row) ? '●' : '') },
    { name: 'variation', cell: row => word(row.name) },
    { name: 'runs', isNumber: true, cell: ({ runs }) => ({ text: String(runs ?? ''), sort: runs }) },
    ...columns.map(
      ({ metric, short, unit }): Column<Row> => ({
        name: short,
        isNumber: true,
        cell: row => number(row.figures[metric] ?? null, unit),
      }),
    ),
  ];
  return section(
    'variations',
    'Variations',
    dataTable(
      'variation-table',
      'Variations; ● marks those for which no other has more requests/s and a lower p99',
      made,
      variations,
    ),
  );
}

/** Selects points by requests/s and the initial latency of the curve. */
function bestOf<Row extends { readonly figures: Readonly<Record<string, PageFigure>> }>(
  variations: readonly Row[],
  latency: string,
): ReadonlySet<Row> {
  const known = variations.filter(({ figures }) => figures.request_throughput_avg && figures[latency]);
  const points = known.map(({ figures }) => ({
    more: figures.request_throughput_avg!.mean,
    less: figures[latency]!.mean,
  }));
  return new Set(findParetoPoints(points).map(at => known[at]!));
}

function figureSection(
  id: string,
  heading: string,
  rows: readonly PageRow[],
  columns: readonly string[],
): HTMLElement {
  const hasLabels = rows.some(({ labels }) => labels !== '');
  const made: Column<PageRow>[] = [
    { name: 'metric', cell: row => word(row.name) },
    ...(hasLabels ? [{ name: 'series', cell: (row: PageRow) => word(row.labels) }] : []),
    { name: 'statistic', cell: row => word(row.stat) },
    { name: 'unit', cell: row => word(row.unit) },
    ...columns.map(
      (name, at): Column<PageRow> => ({
        name,
        isNumber: true,
        cell: ({ values, unit }) => number(values[at] ?? null, unit),
      }),
    ),
  ];
  return section(id, heading, dataTable(`${id}-table`, heading, made, rows));
}

function word(text: string): Cell {
  return { text, sort: text };
}

/** Formats the mean, and half the confidence interval if there is one. */
function number(value: PageFigure | null, unit: string): Cell {
  if (value === null) return { text: '', sort: null };
  const mean = formatValue(value.mean, unit);
  return {
    text: value.half === null ? mean : `${mean} ± ${formatValue(value.half, unit)}`,
    sort: value.mean,
  };
}
