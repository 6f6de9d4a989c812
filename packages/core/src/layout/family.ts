/**
 * What a family of series measures, in Prometheus' own words. `unknown` is what a server declared as
 * `untyped`, or did not declare at all.
 */
export type FamilyType = 'gauge' | 'counter' | 'histogram' | 'summary' | 'unknown';

/** A metric: all series of one name and one type on one endpoint. */
export interface Family {
  /** Name as prometheus_client gives it: a counter has lost its `_total`. */
  readonly name: string;
  readonly type: FamilyType;
  /** HELP text with its escapes undone; empty when the server gave none. */
  readonly help: string;
  /** What an OpenMetrics `# UNIT` line declared. Not the unit inferred from name and HELP (see units). */
  readonly declaredUnit?: string;
}
