import { formatPath, type Path, truncate } from '../json/path.ts';
import type { Issue } from '../validate/issue.ts';
import { getSeverity, type RuleId } from './catalog.ts';

/** Reports a violation of a rule at a path, with a message and the value that was found. */
export type Report = (rule: RuleId, path: Path, message: string, value?: unknown) => void;

/** Further findings are counted, not kept. */
const MAX_FINDINGS = 1000;

/** Maximum lengths of the texts of a finding, in characters. */
const MAX_LENGTHS = { message: 900, place: 900, value: 200 };

/** A finding with its path, so that its line can be found later. */
export interface Finding {
  readonly issue: Issue;
  readonly path: Path;
}

/** Collects the findings about one file. */
export class Findings {
  readonly kept: Finding[] = [];
  /** Number of findings that were not kept. */
  dropped = 0;
  /** True if any finding, kept or not, is an error. */
  failed = false;
  /** Rule and place of the kept findings, so that none is repeated. */
  readonly #known = new Set<string>();

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

  /** Adds a finding at a line, with a place in words. */
  reportAt(rule: RuleId, line: number, place: string, message: string, value?: unknown): void {
    this.#add({ rule, severity: getSeverity(rule), path: place, message, ...toValueField(value), line }, []);
  }

  /** Adds a finding that is already an issue. */
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
    if (this.#known.has(key)) return;
    if (this.kept.length < MAX_FINDINGS) this.#known.add(key);
    if (this.kept.length < MAX_FINDINGS) this.kept.push({ issue, path });
    else this.dropped++;
  }
}

function toValueField(value: unknown): { value?: unknown } {
  if (value === undefined) return {};
  return { value: typeof value === 'string' ? truncate(value, MAX_LENGTHS.value) : value };
}
