import type { Issue } from './issue.ts';

/** A file that is not what was to be read. `issues` has every reason, the message the first. */
export class FormatError extends Error {
  override readonly name = 'FormatError';
  readonly issues: readonly Issue[];

  constructor(name: string, issues: readonly Issue[]) {
    const [first] = issues;
    const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : '';
    super(first ? `cannot read ${name}: ${placeOf(first)} ${first.message}${more}` : `cannot read ${name}`);
    this.issues = issues;
  }
}

function placeOf(issue: Issue): string {
  return issue.path === '.' ? 'it' : issue.path;
}
