import { type Path, pathText, shortened } from '../json/path.ts';
import type { Issue } from '../validate/issue.ts';
import { type RuleId, severityOf } from './catalogue.ts';

/** Notes a violation: which rule, where, in words, and what was found. */
export type Report = (rule: RuleId, path: Path, message: string, value?: unknown) => void;

/** Findings beyond this many are counted, not kept: the first ones teach, the rest repeat. */
const maxFindings = 1000;

/** Room for a sentence and the texts that it quotes, in characters; values stand beside it. */
const longest = { message: 900, place: 900, value: 200 };

/** A finding whose place is still a path, so that its line can be looked up. */
export interface Finding {
  readonly issue: Issue;
  readonly path: Path;
}

/** Collects what the rules report about one file. */
export class Findings {
  readonly kept: Finding[] = [];
  /** How many more there were. */
  dropped = 0;
  /** Whether one of all, kept or not, is an error. */
  failed = false;
  /** Rule and place of those that are kept: what is wrong is said once. */
  readonly #known = new Set<string>();

  /** For places in a JSON document. */
  readonly report: Report = (rule, path, message, value) => {
    this.#add({ rule, severity: severityOf(rule), path: pathText(path), message, ...valued(value) }, path);
  };

  /** For places in one line of a file of JSON lines. */
  inLine(line: number): Report {
    return (rule, path, message, value) => {
      const place = path.length > 0 ? `line ${line}: ${pathText(path)}` : `line ${line}`;
      this.reportAt(rule, line, place, message, value);
    };
  }

  /** For places that are named in words. */
  reportAt(rule: RuleId, line: number, place: string, message: string, value?: unknown): void {
    this.#add({ rule, severity: severityOf(rule), path: place, message, ...valued(value), line }, []);
  }

  /** Takes a finding that was made elsewhere. */
  take(issue: Issue): void {
    this.#add(issue, []);
  }

  #add(found: Issue, path: Path): void {
    const issue = {
      ...found,
      path: shortened(found.path, longest.place),
      message: shortened(found.message, longest.message),
    };
    this.failed ||= issue.severity === 'error';
    const key = `${issue.rule} ${issue.path}`;
    if (this.#known.has(key)) return;
    if (this.kept.length < maxFindings) this.#known.add(key);
    if (this.kept.length < maxFindings) this.kept.push({ issue, path });
    else this.dropped++;
  }
}

function valued(value: unknown): { value?: unknown } {
  if (value === undefined) return {};
  return { value: typeof value === 'string' ? shortened(value, longest.value) : value };
}
