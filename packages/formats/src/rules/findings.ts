import { RULE_SEVERITIES, type RuleId } from '../generated/ruleSeverities.ts';
import { formatPath, type Path, truncate } from '../json/path.ts';
import type { Issue } from '../validate/issue.ts';

/** A function that reports a violation of a rule at a path, with a message and the invalid value. */
export type Report = (rule: RuleId, path: Path, message: string, value?: unknown) => void;

/** Maximum number of findings to keep for a file. Further findings are only counted. */
const MAX_FINDINGS = 1000;

/** Maximum lengths of the strings of a finding, in characters. */
const MAX_LENGTHS = { message: 900, place: 900, value: 200 };

/** Position of a finding in a line-based file, and its description. */
export interface Position {
  readonly line: number;
  readonly row?: number;
  readonly column?: string;
  /** Path within the record of a JSONL line. */
  readonly path?: Path;
  /** Description such as `line 3, column avg`. */
  readonly place: string;
}

/** Collects the findings about one file. */
export class Findings {
  readonly kept: Issue[] = [];
  /** Number of findings that were not kept. */
  dropped = 0;
  /** True if any finding is an error, including findings that were not kept. */
  failed = false;
  /** Rule and place of each kept finding, to skip duplicates. */
  readonly #keys = new Set<string>();

  /** Adds a finding in a JSON document. */
  readonly report: Report = (rule, path, message, value) => {
    this.take({
      ...{ rule, severity: RULE_SEVERITIES[rule], path, place: formatPath(path), message },
      ...toValueField(value),
    });
  };

  /** Returns a function that adds findings in one line of a JSONL file. */
  inLine(line: number): Report {
    return (rule, path, message, value) => {
      const place = path.length > 0 ? `line ${line}: ${formatPath(path)}` : `line ${line}`;
      this.reportAt(rule, { line, path, place }, message, value);
    };
  }

  /** Adds a finding at a position in a line-based file. */
  reportAt(rule: RuleId, { path = [], ...position }: Position, message: string, value?: unknown): void {
    const severity = RULE_SEVERITIES[rule];
    this.take({ rule, severity, path, ...position, message, ...toValueField(value) });
  }

  /** Adds an issue. */
  take(found: Issue): void {
    const issue = {
      ...found,
      place: truncate(found.place, MAX_LENGTHS.place),
      message: truncate(found.message, MAX_LENGTHS.message),
    };
    this.failed ||= issue.severity === 'error';
    const key = `${issue.rule} ${issue.place}`;
    if (this.#keys.has(key)) return;
    if (this.kept.length < MAX_FINDINGS) this.#keys.add(key);
    if (this.kept.length < MAX_FINDINGS) this.kept.push(issue);
    else this.dropped++;
  }
}

function toValueField(value: unknown): { value?: unknown } {
  if (value === undefined) return {};
  return { value: typeof value === 'string' ? truncate(value, MAX_LENGTHS.value) : value };
}
