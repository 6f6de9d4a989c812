/** Severity of an issue. An error makes a document invalid; a warning does so only with `strict`. */
export type Severity = 'error' | 'warning';

/** A problem at one place in a document. Each rule is described in docs/validation-rules.md. */
export interface Issue {
  /** Rule id, such as `buckets-count`, which is also an anchor in docs/validation-rules.md. */
  readonly rule: string;
  readonly severity: Severity;
  /**
   * Place of the problem. In JSON, a jq path (`.metrics["vllm:x"].series[0].stats.avg`, or `.` for the whole
   * document). In JSONL, CSV and Parquet, a description such as `line 3, column avg`.
   */
  readonly path: string;
  /** The problem and what is expected. */
  readonly message: string;
  /** The invalid value. Long values are truncated or omitted. */
  readonly value?: unknown;
  /** Line number in the file, from 1. Absent for Parquet and for parsed objects. */
  readonly line?: number;
}

/** Error for a file that is not a valid document of the expected kind. The message describes the first issue. */
export class FormatError extends Error {
  override readonly name = 'FormatError';
  readonly issues: readonly Issue[];

  /** @param name name of the file or document in the message */
  constructor(name: string, issues: readonly Issue[]) {
    const [first] = issues;
    const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : '';
    super(first ? `cannot read ${name}: ${formatProblem(first)}${more}` : `cannot read ${name}`);
    this.issues = issues;
  }
}

/** Rules whose messages are complete on their own. Other messages need the place of the issue as their subject. */
const COMPLETE_MESSAGES: ReadonlySet<string> = new Set(['file-unreadable', 'json-syntax', 'text-encoding']);

/**
 * Formats the place of an issue for a message. Returns an empty string if a complete message is about the
 * whole document.
 */
export function formatPlace({ path, rule }: Issue): string {
  if (path !== '.') return path;
  return COMPLETE_MESSAGES.has(rule) ? '' : 'the input';
}

/**
 * Formats the place and message of an issue on one line. The place is not repeated if a complete message
 * contains it.
 */
export function formatProblem(issue: Issue): string {
  const { path, rule, message } = issue;
  const place = formatPlace(issue);
  if (place === '') return message;
  if (!COMPLETE_MESSAGES.has(rule)) return `${place} ${message}`;
  return message.includes(`(${path}, `) ? message : `${path}: ${message}`;
}
