import type { Issue } from './issue.ts';

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
