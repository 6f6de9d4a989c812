/** Figures of the aggregate's CSV, in the order of its columns (reference, section B7). */
export const aggregateColumns: readonly string[] = [
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
export const sweepColumns: readonly string[] = ['mean', 'std', 'ci_low', 'ci_high'];

const server: readonly string[] = ['server_metric', 'type', 'endpoint', 'labels', 'stat'];

export const aggregateHeader: readonly string[] = ['metric', ...aggregateColumns, 'unit'];
/** The section of server metrics in the aggregate. */
export const serverAggregateHeader: readonly string[] = [...server, ...aggregateColumns, 'unit'];
/** The same in a sweep. */
export const serverSweepHeader: readonly string[] = ['variation', ...server, ...sweepColumns, 'unit'];
