import type { ProfileExport, ProfileMetric } from '../generated/profileExport.ts';
import type { ProfileTimeslice, ProfileTimeslices } from '../generated/profileTimeslices.ts';
import { type CsvLayout, type CsvOptions, formatCsv, resolveCsvLayout } from './layout.ts';
import { formatAiperfNameCell, formatNameCell, toMetricName } from './metricNames.ts';
import {
  CSV_STATS,
  DOCUMENT_FIELDS,
  isMetricBlock,
  TIMESLICE_HEADER,
  VALUE_HEADER,
} from './profileColumns.ts';

/** A metric block and its tag. */
type Block = readonly [tag: string, block: ProfileMetric];

/** AIPerf rounds to hundredths. */
const aiperfDecimals = 2;

/**
 * profile_export_aiperf.csv: metrics with percentiles, one row each with a column for each statistic; an empty line; single
 * values. Rows go by tag. What the JSON has beside its metric blocks, and `count`, are not in it.
 */
export function writeProfileExportCsv(document: ProfileExport, options: CsvOptions = {}): string {
  const layout = resolveCsvLayout(options, aiperfDecimals);
  const blocks = blocksOf(document).filter(([tag]) => !DOCUMENT_FIELDS.has(tag));
  const spread = blocks.filter(([, block]) => hasPercentiles(block));
  const single = blocks.filter(([, block]) => !hasPercentiles(block));
  const sections: string[] = [];
  if (spread.length > 0) sections.push(formatCsv(spreadRows(spread, layout), layout));
  if (single.length > 0) sections.push(formatCsv(singleRows(single, layout), layout));
  return sections.join(layout.lineEnd);
}

/** Metric blocks by tag; what the file says otherwise has no unit. */
function blocksOf(values: ProfileExport | ProfileTimeslice): Block[] {
  const blocks = Object.entries(values).filter(
    (entry): entry is [string, ProfileMetric] =>
      typeof entry[1] === 'object' &&
      entry[1] !== null &&
      !Array.isArray(entry[1]) &&
      isMetricBlock(entry[1]),
  );
  return blocks.sort(([a], [b]) => (a < b ? -1 : 1));
}

function hasPercentiles(block: ProfileMetric): boolean {
  return Object.keys(block).some(key => /^p\d+$/.test(key));
}

function spreadRows(blocks: readonly Block[], layout: CsvLayout): string[][] {
  const hasSums = blocks.some(([, block]) => block.sum !== undefined);
  const stats = CSV_STATS.filter(stat => stat !== 'sum' || hasSums);
  const rows = blocks.map(([tag, block]) => [
    name(tag, block, layout),
    ...stats.map(stat => number(block, stat, layout)),
  ]);
  return [['Metric', ...stats], ...rows];
}

function singleRows(blocks: readonly Block[], layout: CsvLayout): string[][] {
  const rows = blocks.map(([tag, block]) => [name(tag, block, layout), number(block, 'avg', layout)]);
  return [[...VALUE_HEADER], ...rows];
}

function name(tag: string, { unit }: ProfileMetric, layout: CsvLayout): string {
  return layout.text(layout.isAiperf ? formatAiperfNameCell(tag, unit) : formatNameCell(tag, unit));
}

function number(block: ProfileMetric, stat: string, layout: CsvLayout): string {
  const value: unknown = block[stat as keyof ProfileMetric];
  // Moments in ns have more digits than a double.
  if (typeof value === 'bigint')
    return layout.isAiperf ? `${value}.${'0'.repeat(aiperfDecimals)}` : String(value);
  if (typeof value !== 'number' || !Number.isFinite(value)) return '';
  return stat === 'count' ? String(value) : layout.float(value);
}

/**
 * profile_export_aiperf_timeslices.csv: one row for each statistic of each metric of each slice. The slices count from 0, as
 * they are numbered or as they stand. AIPerf's layout leaves `count` out.
 */
export function writeProfileTimeslicesCsv(document: ProfileTimeslices, options: CsvOptions = {}): string {
  const layout = resolveCsvLayout(options, aiperfDecimals);
  const rows = document.timeslices.flatMap((slice, index) => sliceRows(slice, index, layout));
  return formatCsv([TIMESLICE_HEADER, ...rows], layout);
}

function sliceRows(slice: ProfileTimeslice, index: number, layout: CsvLayout): string[][] {
  const ordinal = String(slice.timeslice_index ?? index);
  const stats = layout.isAiperf ? CSV_STATS : [...CSV_STATS, 'count'];
  return blocksOf(slice).flatMap(([tag, block]) =>
    stats
      .map(stat => [stat, number(block, stat, layout)] as const)
      .filter(([, value]) => value !== '')
      .map(([stat, value]) => [
        ordinal,
        layout.text(toMetricName(tag)),
        layout.text(block.unit),
        stat,
        value,
      ]),
  );
}
