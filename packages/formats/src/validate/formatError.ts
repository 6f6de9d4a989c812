import type { Issue } from './issue.ts';

/** Reports a file that is not a valid document of the expected kind. The message states the first of `issues`. */
export class FormatError extends Error {
  override readonly name = 'FormatError';
  readonly issues: readonly Issue[];

  constructor(name: string, issues: readonly Issue[]) {
    const [first] = issues;
    const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : '';
    super(
      first ? `cannot read ${name}: ${formatPlace(first)} ${first.message}${more}` : `cannot read ${name}`,
    );
    this.issues = issues;
  }
}

function formatPlace(issue: Issue): string {
  return issue.path === '.' ? 'it' : issue.path;
}
