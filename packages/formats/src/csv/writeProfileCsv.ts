import type { ProfileExport, ProfileMetric } from '../generated/profileExport.ts';
import type { ProfileTimeslice, ProfileTimeslices } from '../generated/profileTimeslices.ts';
import { hasGpuTelemetry, toAiperfProfileExport, toAiperfTimeslices } from '../json/aiperfLayout.ts';
import { DOCUMENT_FIELDS, isMetricBlock } from '../json/profileMetrics.ts';
import { AIPERF_TIMESLICE_HEADER, CSV_STATS, TIMESLICE_HEADER, VALUE_HEADER } from './columns.ts';
import { formatGpuTable } from './gpuTable.ts';
import { type CsvLayout, type CsvOptions, formatCsv, resolveCsvLayout } from './layout.ts';
import { formatAiperfNameCell, formatNameCell, toMetricName } from './metricNames.ts';

/** A metric block and its tag. */
type Block = readonly [tag: string, block: ProfileMetric];

/** Number of decimals in AIPerf's files. */
const AIPERF_DECIMALS = 2;

/**
 * Returns the text of profile_export_aiperf.csv: a section with distributions and a section with single
 * values, both sorted by tag and separated by an empty line, and a table of GPU metrics. Blocks are written without
 * `count`.
 */
export function writeProfileExportCsv(document: ProfileExport, options: CsvOptions = {}): string {
  const layout = resolveCsvLayout(options, AIPERF_DECIMALS);
  const blocks = listBlocks(layout.isAiperf ? toAiperfProfileExport(document) : document).filter(
    ([tag]) => !DOCUMENT_FIELDS.has(tag),
  );
  const distributions = blocks.filter(([, block]) => hasPercentiles(block));
  const singleValues = blocks.filter(([, block]) => !hasPercentiles(block));
  const sections: string[] = [];
  if (distributions.length > 0) sections.push(formatCsv(formatDistributions(distributions, layout), layout));
  if (singleValues.length > 0) sections.push(formatCsv(formatSingleValues(singleValues, layout), layout));
  const text = sections.join(layout.lineEnd);
  if (layout.isAiperf && !hasGpuTelemetry(document)) return text;
  return text + formatGpuTable(document.telemetry_data, layout);
}

/** Lists the metric blocks of a document or slice, sorted by tag. */
function listBlocks(values: ProfileExport | ProfileTimeslice): Block[] {
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

function formatDistributions(blocks: readonly Block[], layout: CsvLayout): string[][] {
  const hasSums = blocks.some(([, block]) => block.sum !== undefined);
  const stats = CSV_STATS.filter(stat => stat !== 'sum' || hasSums || layout.isAiperf);
  const rows = blocks.map(([tag, block]) => [
    formatName(tag, block, layout),
    ...stats.map(stat => formatNumber(block, stat, layout)),
  ]);
  return [['Metric', ...stats], ...rows];
}

function formatSingleValues(blocks: readonly Block[], layout: CsvLayout): string[][] {
  const rows = blocks.map(([tag, block]) => [
    formatName(tag, block, layout),
    formatNumber(block, 'avg', layout),
  ]);
  return [[...VALUE_HEADER], ...rows];
}

function formatName(tag: string, { unit }: ProfileMetric, layout: CsvLayout): string {
  return layout.text(layout.isAiperf ? formatAiperfNameCell(tag, unit) : formatNameCell(tag, unit));
}

function formatNumber(block: ProfileMetric, stat: string, layout: CsvLayout): string {
  const value: unknown = block[stat as keyof ProfileMetric];
  // Timestamps in nanoseconds are bigints, because they have more digits than a double.
  if (typeof value === 'bigint')
    return layout.isAiperf ? `${value}.${'0'.repeat(AIPERF_DECIMALS)}` : String(value);
  if (typeof value !== 'number' || !Number.isFinite(value)) return '';
  return stat === 'count' ? String(value) : layout.float(value);
}

/**
 * Returns the text of profile_export_aiperf_timeslices.csv: one row per slice, metric and statistic,
 * with the times of the slice if all slices have them. Slices without a
 * `timeslice_index` are numbered by position, from 0. The `aiperf` layout omits `count`.
 */
export function writeProfileTimeslicesCsv(document: ProfileTimeslices, options: CsvOptions = {}): string {
  const layout = resolveCsvLayout(options, AIPERF_DECIMALS);
  const { timeslices } = layout.isAiperf ? toAiperfTimeslices(document) : document;
  const hasTimes = timeslices.every(slice => slice.start_ns != null && slice.end_ns != null);
  const rows = timeslices.flatMap((slice, index) => formatSlice(slice, index, layout, hasTimes));
  const header = hasTimes ? AIPERF_TIMESLICE_HEADER : TIMESLICE_HEADER;
  return formatCsv([header, ...rows], layout);
}

function formatSlice(
  slice: ProfileTimeslice,
  index: number,
  layout: CsvLayout,
  hasTimes: boolean,
): string[][] {
  const times = hasTimes ? [String(slice.start_ns), String(slice.end_ns)] : [];
  const ordinal = String(slice.timeslice_index ?? index);
  const stats = layout.isAiperf ? CSV_STATS : [...CSV_STATS, 'count'];
  return listBlocks(slice).flatMap(([tag, block]) =>
    stats
      .map(stat => [stat, formatNumber(block, stat, layout)] as const)
      .filter(([, value]) => value !== '')
      .map(([stat, value]) => [
        ordinal,
        ...times,
        layout.text(toMetricName(tag)),
        layout.text(block.unit),
        stat,
        value,
      ]),
  );
}
