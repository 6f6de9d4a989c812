/** Figures of the aggregate's CSV, in the order of its columns (reference, section B7). */
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

/** Figures of each metric in the CSV of a sweep. */
export const SWEEP_COLUMNS: readonly string[] = ['mean', 'std', 'ci_low', 'ci_high'];

const server: readonly string[] = ['server_metric', 'type', 'endpoint', 'labels', 'stat'];

export const AGGREGATE_HEADER: readonly string[] = ['metric', ...AGGREGATE_COLUMNS, 'unit'];
/** The section of server metrics in the aggregate. */
export const SERVER_AGGREGATE_HEADER: readonly string[] = [...server, ...AGGREGATE_COLUMNS, 'unit'];
/** The same in a sweep. */
export const SERVER_SWEEP_HEADER: readonly string[] = ['variation', ...server, ...SWEEP_COLUMNS, 'unit'];
