/** An error makes a document invalid; a warning does so only with `strict`. */
export type Severity = 'error' | 'warning';

/** A finding about one place in a document. Each rule is described in docs/validation-rules.md. */
export interface Issue {
  /** Rule id, such as `buckets-count`, which is also an anchor in docs/validation-rules.md. */
  readonly rule: string;
  readonly severity: Severity;
  /**
   * Place of the finding: a jq path in JSON (`.metrics["vllm:x"].series[0].stats.avg`, or `.` for the whole document); the
   * line, row or column in words in JSONL, CSV and Parquet.
   */
  readonly path: string;
  /** The problem and what is expected. */
  readonly message: string;
  /** The invalid value, if it is short enough. */
  readonly value?: unknown;
  /** Line of the file, from 1, for formats with lines. */
  readonly line?: number;
}
