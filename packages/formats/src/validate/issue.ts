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

/** Rules whose messages are complete sentences; other messages continue the place of the issue. */
const COMPLETE_MESSAGES: ReadonlySet<string> = new Set(['file-unreadable', 'json-syntax', 'text-encoding']);

/** Formats the place of an issue for people; an empty text if the message is about the whole document and needs no subject. */
export function formatPlace({ path, rule }: Issue): string {
  if (path !== '.') return path;
  return COMPLETE_MESSAGES.has(rule) ? '' : 'the input';
}

/** Formats the place and message of an issue on one line. Messages about the syntax or encoding may contain their place. */
export function formatProblem(issue: Issue): string {
  const { path, rule, message } = issue;
  const place = formatPlace(issue);
  if (place === '') return message;
  if (!COMPLETE_MESSAGES.has(rule)) return `${place} ${message}`;
  return message.includes(`(${path}, `) ? message : `${path}: ${message}`;
}
