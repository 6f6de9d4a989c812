import { formatPath, type Path, truncate } from '../json/path.ts';
import type { Issue } from '../validate/issue.ts';
import { getSeverity, type RuleId } from './catalog.ts';

/** A function that reports a violation of a rule at a path, with a message and the invalid value. */
export type Report = (rule: RuleId, path: Path, message: string, value?: unknown) => void;

/** Maximum number of findings to keep for a file. Further findings are only counted. */
const MAX_FINDINGS = 1000;

/** Maximum lengths of the strings of a finding, in characters. */
const MAX_LENGTHS = { message: 900, place: 900, value: 200 };

/** An issue with its path in the document, from which its line number is determined later. */
export interface Finding {
  readonly issue: Issue;
  readonly path: Path;
}

/** Collects the findings about one file. */
export class Findings {
  readonly kept: Finding[] = [];
  /** Number of findings that were not kept. */
  dropped = 0;
  /** True if any finding is an error, including findings that were not kept. */
  failed = false;
  /** Rule and place of each kept finding, to skip duplicates. */
  readonly #keys = new Set<string>();

  /** Adds a finding in a JSON document. */
  readonly report: Report = (rule, path, message, value) => {
    this.#add(
      { rule, severity: getSeverity(rule), path: formatPath(path), message, ...toValueField(value) },
      path,
    );
  };

  /** Returns a function that adds findings in one line of a JSONL file. */
  inLine(line: number): Report {
    return (rule, path, message, value) => {
      const place = path.length > 0 ? `line ${line}: ${formatPath(path)}` : `line ${line}`;
      this.reportAt(rule, line, place, message, value);
    };
  }

  /** Adds a finding at a line, with a description of the place such as `line 3, column avg`. */
  reportAt(rule: RuleId, line: number, place: string, message: string, value?: unknown): void {
    this.#add({ rule, severity: getSeverity(rule), path: place, message, ...toValueField(value), line }, []);
  }

  /** Adds an existing issue. */
  take(issue: Issue): void {
    this.#add(issue, []);
  }

  #add(found: Issue, path: Path): void {
    const issue = {
      ...found,
      path: truncate(found.path, MAX_LENGTHS.place),
      message: truncate(found.message, MAX_LENGTHS.message),
    };
    this.failed ||= issue.severity === 'error';
    const key = `${issue.rule} ${issue.path}`;
    if (this.#keys.has(key)) return;
    if (this.kept.length < MAX_FINDINGS) this.#keys.add(key);
    if (this.kept.length < MAX_FINDINGS) this.kept.push({ issue, path });
    else this.dropped++;
  }
}

function toValueField(value: unknown): { value?: unknown } {
  if (value === undefined) return {};
  return { value: typeof value === 'string' ? truncate(value, MAX_LENGTHS.value) : value };
}
