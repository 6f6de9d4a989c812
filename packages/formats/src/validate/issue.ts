/** An error makes a document invalid; a warning is worth a look and fails only under `strict`. */
export type Severity = 'error' | 'warning';

/** One finding about one place of a document. Every rule has a section in docs/validation-rules.md. */
export interface Issue {
  /** Id of the rule, such as `histogram-buckets-count`: an anchor of docs/validation-rules.md. */
  readonly rule: string;
  readonly severity: Severity;
  /**
   * Where: in JSON a jq path (`.metrics["vllm:x"].series[0].stats.avg`, the document itself is `.`);
   * in JSONL, CSV and Parquet the line, row or column in words.
   */
  readonly path: string;
  /** What is there and what is allowed, in a sentence. */
  readonly message: string;
  /** What was found, where it is short enough to show. */
  readonly value?: unknown;
  /** Line of the file, from 1, where the format has lines. */
  readonly line?: number;
}
