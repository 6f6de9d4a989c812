/** Sections of the CSV, in order. */
export const CSV_SECTIONS = ['gauge', 'counter', 'histogram', 'unknown'] as const;
export type CsvSection = (typeof CSV_SECTIONS)[number];

const PERCENTILES = ['p1', 'p5', 'p10', 'p25', 'p50', 'p75', 'p90', 'p95', 'p99'];
const ESTIMATES = PERCENTILES.map(name => `${name}_estimate`);
const GAUGE_COLUMNS = ['avg', 'min', 'max', 'std', ...PERCENTILES];

/** Statistics of each section, in column order. */
export const STAT_COLUMNS: Readonly<Record<CsvSection, readonly string[]>> = {
  gauge: GAUGE_COLUMNS,
  counter: ['total', 'rate', 'rate_avg', 'rate_min', 'rate_max', 'rate_std'],
  histogram: ['count', 'count_rate', 'sum', 'sum_rate', 'avg', ...ESTIMATES],
  unknown: GAUGE_COLUMNS,
};

/** Columns after the statistics, present only if a series of the section was reset. */
export const RESET_COLUMNS: Readonly<Record<CsvSection, readonly string[]>> = {
  gauge: [],
  counter: ['resets', 'increase'],
  histogram: ['resets', ...['count', 'sum', 'avg', ...ESTIMATES, 'buckets'].map(name => `increase_${name}`)],
  unknown: [],
};

/** Columns before the statistics. */
export const LEAD_COLUMNS: readonly string[] = ['Endpoint', 'Type', 'Metric', 'Unit'];

/** Columns of the info section, which has one row per label. */
export const INFO_COLUMNS: readonly string[] = ['Endpoint', 'Metric', 'Key', 'Value', 'Description'];

const LABEL_PREFIX = 'label:';

/** Returns the column name of a label. A label with the name of another column is prefixed with `label:`. */
export function toLabelColumn(label: string, section: CsvSection): string {
  return isReserved(label, section) || label.startsWith(LABEL_PREFIX) ? LABEL_PREFIX + label : label;
}

/** Reverses `toLabelColumn`. */
export function fromLabelColumn(column: string): string {
  return column.startsWith(LABEL_PREFIX) ? column.slice(LABEL_PREFIX.length) : column;
}

function isReserved(name: string, section: CsvSection): boolean {
  return (
    LEAD_COLUMNS.includes(name) ||
    STAT_COLUMNS[section].includes(name) ||
    RESET_COLUMNS[section].includes(name) ||
    name === 'Description' ||
    name === 'buckets'
  );
}
