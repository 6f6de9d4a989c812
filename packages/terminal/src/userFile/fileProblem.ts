/** A problem in a file that a user wrote. Lines and columns are numbered from 1. */
export interface FileProblem {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** Thrown if a file that a user wrote is invalid. Contains its problems, ordered by position. */
export class UserFileError extends Error {
  override readonly name: string = 'UserFileError';
  readonly problems: readonly FileProblem[];

  /** Creates the error for a file. `path` is the path as the user typed it, which the message contains. */
  constructor(path: string, problems: readonly FileProblem[]) {
    const sorted = [...problems].sort((a, b) => a.line - b.line || a.column - b.column);
    super(formatProblems(path, sorted).join('\n'));
    this.problems = sorted;
  }
}

/** Formats problems as `config.yaml:3:5: message`. Editors recognize this compiler format as a link. */
export function formatProblems(path: string, problems: readonly FileProblem[]): string[] {
  return problems.map(({ line, column, message }) => `${path}:${line}:${column}: ${message}`);
}
