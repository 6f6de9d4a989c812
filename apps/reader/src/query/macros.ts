/** A SQL function that is defined as a DuckDB macro: its signature, description and definition. */
export interface Macro {
  readonly call: string;
  readonly description: string;
  readonly sql: string;
}

/**
 * Functions for time series. Counters and histograms in the export are increases since the start of the period, across
 * resets. The views contain a row with 0 at this time, so increases are computed without earlier values.
 */
export const MACROS: readonly Macro[] = [
  {
    call: 'increase(value, timestamp_ns)',
    description: 'increase of a counter over the rows of a group (one series)',
    sql: 'increase(v, t) AS arg_max(v, t) - arg_min(v, t)',
  },
  {
    call: 'rate(value, timestamp_ns)',
    description: 'increase per second',
    sql: 'rate(v, t) AS (arg_max(v, t) - arg_min(v, t)) / nullif((max(t) - min(t)) / 1e9, 0)',
  },
  {
    call: 'time_of(timestamp_ns)',
    description: 'the time as a TIMESTAMP (UTC)',
    sql: 'time_of(t) AS make_timestamp_ns(t)',
  },
  {
    call: 'le(bucket_le)',
    description: "a bucket's bound as a number",
    sql: "le(b) AS CASE WHEN b = '+Inf' THEN 'inf'::DOUBLE ELSE TRY_CAST(b AS DOUBLE) END",
  },
  {
    call: 'histogram_quantile(q, le, count)',
    description: 'quantile estimated from the buckets of a group (one histogram), as in Prometheus',
    sql: `histogram_quantile(q, b, n) AS bucket_quantile(q, list({le: b, n: n} ORDER BY b) FILTER (n IS NOT NULL))`,
  },
];

/** Helper macros of `histogram_quantile`, in dependency order. */
const HELPERS: readonly string[] = [
  // Implements the documented rules of Prometheus' histogram_quantile
  // (https://prometheus.io/docs/prometheus/latest/querying/functions/).
  `bucket_between(q, b, i) AS CASE
     WHEN i = len(b) THEN b[i - 1].le
     WHEN i = 1 AND b[1].le <= 0 THEN b[1].le
     ELSE coalesce(b[i - 1].le, 0) + (b[i].le - coalesce(b[i - 1].le, 0))
       * (q * b[-1].n - coalesce(b[i - 1].n, 0)) / nullif(b[i].n - coalesce(b[i - 1].n, 0), 0)
   END`,
  `bucket_quantile(q, b) AS CASE
     WHEN len(b) < 2 OR b[-1].le <> 'inf'::DOUBLE OR b[-1].n = 0 THEN NULL
     WHEN q < 0 THEN '-inf'::DOUBLE
     WHEN q > 1 THEN 'inf'::DOUBLE
     ELSE bucket_between(q, b, list_position(list_transform(b, lambda x: x.n >= q * b[-1].n), true))
   END`,
];

/** Returns the statements that create the functions and their helpers. */
export function createMacros(): readonly string[] {
  return [...HELPERS, ...MACROS.map(({ sql }) => sql)].map(sql => `CREATE MACRO ${sql}`);
}
