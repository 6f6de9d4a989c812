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

/** Reports a file that is not a valid document of the expected kind. The message states the first of `issues`. */
export class FormatError extends Error {
  override readonly name = 'FormatError';
  readonly issues: readonly Issue[];

  constructor(name: string, issues: readonly Issue[]) {
    const [first] = issues;
    const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : '';
    super(first ? `cannot read ${name}: ${formatProblem(first)}${more}` : `cannot read ${name}`);
    this.issues = issues;
  }
}

/** Formats the place and message of an issue. Errors of the syntax or encoding are complete messages, most with their place. */
function formatProblem({ path, rule, message }: Issue): string {
  if (rule === 'json-syntax' || rule === 'text-encoding')
    return path === '.' || message.includes(`(${path}, `) ? message : `${path}: ${message}`;
  return `${path === '.' ? 'it' : path} ${message}`;
}
