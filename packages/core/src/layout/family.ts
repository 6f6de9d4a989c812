/** A Prometheus metric type. `unknown` stands for `untyped` and for families without a `# TYPE` line. */
export type FamilyType = 'gauge' | 'counter' | 'histogram' | 'summary' | 'unknown';

/** A metric family: all series of one name and type on one endpoint. */
export interface Family {
  /** Name as in prometheus_client: without `_total` for counters. */
  readonly name: string;
  readonly type: FamilyType;
  /** Unescaped HELP text; may be empty. */
  readonly help: string;
  /** Unit from an OpenMetrics `# UNIT` line; not the unit inferred from name and HELP text. */
  readonly declaredUnit?: string;
}
