import type { TextValues } from '../read/batch.ts';
import { METRIC_TYPES } from '../series.ts';
import { type Findings, locateCell } from './findings.ts';
import type { MetadataSummary } from './metadata.ts';

/** Maximum number of metrics that are tracked, to limit memory use. */
const MAX_METRICS = 100_000;

/** Type and unit of a metric. A metric without a unit has the unit null. */
interface Metric {
  readonly type: string | null;
  readonly unit: string | null;
}

/**
 * Checks that each metric has one type and one unit, and that the metadata describes the metrics and
 * endpoints of the rows.
 */
export class MetricChecker {
  readonly #findings: Findings;
  readonly #metadata: MetadataSummary;
  readonly #metrics = new Map<string, Metric>();
  readonly #unlisted = new Set<string>();

  constructor(metadata: MetadataSummary, findings: Findings) {
    this.#metadata = metadata;
    this.#findings = findings;
  }

  /** Checks the rows of a batch. */
  check(
    firstRow: number,
    rows: number,
    columns: {
      readonly endpoint: TextValues;
      readonly metric: TextValues;
      readonly type: TextValues;
      readonly unit: TextValues;
    },
  ): void {
    const { metric, type, unit } = columns;
    // Type and unit of each metric of the batch by its code, so that strings are compared once per batch.
    const states = new Int32Array(metric.texts.length).fill(-1);
    for (let row = 0; row < rows; row++) {
      const code = metric.codes[row]!;
      if (code < 0) continue;
      const state = (type.codes[row]! + 1) * (unit.texts.length + 1) + unit.codes[row]! + 1;
      if (states[code] === state) continue;
      states[code] = state;
      const typeCode = type.codes[row]!;
      const unitCode = unit.codes[row]!;
      this.#checkMetric(firstRow + row, metric.texts[code]!, {
        type: typeCode < 0 ? null : type.texts[typeCode]!,
        unit: unitCode < 0 ? null : unit.texts[unitCode]!,
      });
    }
    this.#checkEndpoints(firstRow, columns.endpoint);
  }

  #checkMetric(row: number, name: string, found: Metric): void {
    const known = this.#metrics.get(name);
    if (!known) {
      if (this.#metrics.size < MAX_METRICS) this.#metrics.set(name, found);
      return;
    }
    for (const key of ['type', 'unit'] as const)
      if (known[key] !== found[key])
        this.#findings.add(
          'parquet-metric',
          locateCell(row, key === 'type' ? 'metric_type' : 'unit'),
          `of ${name} is ${found[key]}, but ${known[key]} in earlier rows; a metric has one ${key}`,
          found[key],
        );
  }

  #checkEndpoints(firstRow: number, { codes, texts }: TextValues): void {
    const { endpoints } = this.#metadata;
    if (!endpoints) return;
    texts.forEach((url, code) => {
      if (endpoints.has(url) || this.#unlisted.has(url) || !codes.includes(code)) return;
      if (this.#unlisted.size < MAX_METRICS) this.#unlisted.add(url);
      this.#findings.add(
        'parquet-metadata-value',
        locateCell(firstRow + codes.indexOf(code), 'endpoint_url'),
        `is ${JSON.stringify(url)}, which is not in metadata aiperf.endpoint_urls`,
        url,
      );
    });
  }

  /** Checks the number of metrics of each type. Metrics without samples in the period have no rows. */
  finish(): void {
    const { typeCounts } = this.#metadata;
    if (!typeCounts) return;
    const counts = new Map<string, number>();
    for (const { type } of this.#metrics.values()) counts.set(type ?? '', (counts.get(type ?? '') ?? 0) + 1);
    // An unknown type is reported for its rows.
    for (const type of METRIC_TYPES) {
      const count = counts.get(type) ?? 0;
      const stated = typeCounts.get(type) ?? 0;
      if (count > stated)
        this.#findings.add(
          'parquet-metadata-value',
          'metadata aiperf.metric_type_counts',
          `states ${stated} metrics of type ${type}, but the rows have ${count}`,
          stated,
        );
    }
  }
}
