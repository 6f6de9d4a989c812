/** Sections of the server metrics CSV with statistics, in file order. */
export const CSV_SECTIONS = ['gauge', 'counter', 'histogram', 'unknown'] as const;
/** A section of the server metrics CSV with statistics. */
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

/**
 * Columns after the statistics, for series that were reset or created in the run, or that behave like a gauge. Each is
 * present only if at least one series of the section has a value.
 */
export const INCREASE_COLUMNS: Readonly<Record<CsvSection, readonly string[]>> = {
  gauge: [],
  counter: ['resets', 'created_in_run', 'increase', 'increase_rate', 'decreases'],
  histogram: [
    'resets',
    'created_in_run',
    ...['count', 'count_rate', 'sum', 'sum_rate', 'avg', ...ESTIMATES, 'buckets'].map(
      name => `increase_${name}`,
    ),
  ],
  unknown: [],
};

/** Columns before the statistics, in all sections but info. */
export const LEAD_COLUMNS: readonly string[] = ['Endpoint', 'Type', 'Metric', 'Unit'];

/** Columns of the info section, which has one row per label. */
export const INFO_COLUMNS: readonly string[] = ['Endpoint', 'Metric', 'Key', 'Value', 'Description'];

const LABEL_PREFIX = 'label:';

/** Returns the column name of a label. If another column already has that name, the label is prefixed with `label:`. */
export function toLabelColumn(label: string, section: CsvSection): string {
  const hasPrefix = label.startsWith(LABEL_PREFIX) || label.startsWith(TARGET_PREFIX);
  return isReserved(label, section) || hasPrefix ? LABEL_PREFIX + label : label;
}

const TARGET_PREFIX = 'target:';

/** Returns the column name of a label of the target. */
export function toTargetColumn(label: string): string {
  return TARGET_PREFIX + label;
}

/** Reverses `toTargetColumn`. Returns undefined for other columns. */
export function fromTargetColumn(column: string): string | undefined {
  return column.startsWith(TARGET_PREFIX) ? column.slice(TARGET_PREFIX.length) : undefined;
}

/** Reverses `toLabelColumn`. */
export function fromLabelColumn(column: string): string {
  return column.startsWith(LABEL_PREFIX) ? column.slice(LABEL_PREFIX.length) : column;
}

/** Reports whether a section has a column of this name that is not a label. */
function isReserved(name: string, section: CsvSection): boolean {
  return (
    LEAD_COLUMNS.includes(name) ||
    STAT_COLUMNS[section].includes(name) ||
    INCREASE_COLUMNS[section].includes(name) ||
    name === 'Description' ||
    name === 'buckets'
  );
}

/** Statistics of the profile CSV, in AIPerf's column order. */
export const CSV_STATS: readonly string[] = [
  ...['avg', 'min', 'max', 'sum', 'p1', 'p5', 'p10', 'p25', 'p50', 'p75', 'p90', 'p95', 'p99', 'std'],
];

/** Reports whether a name is a known statistic, or looks like a statistic of a newer version, such as `adj_p99`. */
export function isCsvStat(name: string): boolean {
  return CSV_STATS.includes(name) || name === 'count' || /^([a-z]+_)?p\d{1,2}(\.\d+)?$/.test(name);
}

/** Header of the section with single values in the profile CSV. */
export const VALUE_HEADER: readonly string[] = ['Metric', 'Value'];

/** Header of the timeslices CSV, which has one row per statistic. */
export const TIMESLICE_HEADER: readonly string[] = ['Timeslice', 'Metric', 'Unit', 'Stat', 'Value'];
/** Header of AIPerf's timeslices CSV since 0.13. */
export const AIPERF_TIMESLICE_HEADER: readonly string[] = [
  'Timeslice',
  'Start_NS',
  'End_NS',
  'Metric',
  'Unit',
  'Stat',
  'Value',
];

/** Statistics in the aggregate CSV, in column order. */
export const AGGREGATE_COLUMNS: readonly string[] = [
  'mean',
  'std',
  'min',
  'max',
  'cv',
  'se',
  'ci_low',
  'ci_high',
  't_critical',
];

/** Statistics of each metric in the sweep CSV, in column order. */
export const SWEEP_COLUMNS: readonly string[] = ['mean', 'std', 'ci_low', 'ci_high'];

/** Statistics of each metric in AIPerf's sweep CSV, in column order. */
export const AIPERF_SWEEP_COLUMNS: readonly string[] = ['mean', 'std', 'min', 'max', 'cv'];

/** Titles of the sections after the variations of a sweep. */
export const SWEEP_TITLES: readonly string[] = ['Best Configurations', 'Pareto Optimal Points', 'Metadata'];

/** Columns that identify a server statistic. */
const SERVER_COLUMNS: readonly string[] = ['server_metric', 'type', 'endpoint', 'labels', 'stat'];

/** Header of the client metrics section of an aggregate. */
export const AGGREGATE_HEADER: readonly string[] = ['metric', ...AGGREGATE_COLUMNS, 'unit'];
/** Header of the server metrics section of an aggregate. */
export const SERVER_AGGREGATE_HEADER: readonly string[] = [...SERVER_COLUMNS, ...AGGREGATE_COLUMNS, 'unit'];
/** Header of the server metrics section of a sweep. */
export const SERVER_SWEEP_HEADER: readonly string[] = [
  'variation',
  ...SERVER_COLUMNS,
  ...SWEEP_COLUMNS,
  'unit',
];
