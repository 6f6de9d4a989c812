/** Statistics in the CSV of an aggregate, in column order. */
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

/** Statistics of each metric in the CSV of a sweep. */
export const SWEEP_COLUMNS: readonly string[] = ['mean', 'std', 'ci_low', 'ci_high'];

const SERVER_COLUMNS: readonly string[] = ['server_metric', 'type', 'endpoint', 'labels', 'stat'];

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
