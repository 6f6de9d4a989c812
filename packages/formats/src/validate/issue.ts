import type { RuleId } from '../generated/ruleSeverities.ts';
import type { Path } from '../json/path.ts';

/** Severity of an issue. An error makes a document invalid; a warning does so only with `strict`. */
export type Severity = 'error' | 'warning';

/** A problem at one place in a document. Each rule is described in docs/validation-rules.md. */
export interface Issue {
  /** Id of the rule, such as `buckets-count`, which is also an anchor in docs/validation-rules.md. */
  readonly rule: RuleId;
  readonly severity: Severity;
  /**
   * Keys and indexes from the root of the JSON document or JSONL record to the value. Empty for the whole
   * document, and in CSV and Parquet files, whose values have a row and a column.
   */
  readonly path: Path;
  /**
   * The position as text: in JSON, a jq path (`.metrics["vllm:x"].series[0].stats.avg`, or `.` for the whole
   * document); in JSONL, CSV and Parquet, a description such as `line 3, column avg`.
   */
  readonly place: string;
  /** The problem and what is expected. */
  readonly message: string;
  /** The invalid value. Long values are truncated or omitted. */
  readonly value?: unknown;
  /** Line number in the file, from 1. Absent for Parquet and for parsed objects. */
  readonly line?: number;
  /**
   * Row number. In CSV it is counted from 1, with headers, comments and empty rows, as in a spreadsheet. In
   * Parquet it is counted from 0, as in DuckDB's file_row_number.
   */
  readonly row?: number;
  /** Column name in a CSV or Parquet file. */
  readonly column?: string;
  /** Path of the file in a partitioned dataset, relative to its folder. */
  readonly file?: string;
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
const COMPLETE_MESSAGES: ReadonlySet<RuleId> = new Set(['file-unreadable', 'json-syntax', 'text-encoding']);

/**
 * Formats the place of an issue for a message. Returns an empty string if a complete message is about the
 * whole document.
 */
export function formatPlace({ place, rule }: Issue): string {
  if (place !== '.') return place;
  return COMPLETE_MESSAGES.has(rule) ? '' : 'the input';
}

/**
 * Formats the place and message of an issue on one line. The place is not repeated if a complete message
 * contains it.
 */
export function formatProblem(issue: Issue): string {
  const { rule, message } = issue;
  const place = formatPlace(issue);
  if (place === '') return message;
  if (!COMPLETE_MESSAGES.has(rule)) return `${place} ${message}`;
  return message.includes(`(${place}, `) ? message : `${place}: ${message}`;
}
