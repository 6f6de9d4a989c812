/** A problem in a configuration file. Lines and columns are numbered from 1. */
export interface ConfigProblem {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** Thrown if a configuration file is invalid. Contains its problems, ordered by position. */
export class ConfigError extends Error {
  override readonly name: string = 'ConfigError';
  readonly problems: readonly ConfigProblem[];

  /** Creates the error for a file. `path` is the path as the user typed it, which the message contains. */
  constructor(path: string, problems: readonly ConfigProblem[]) {
    const sorted = [...problems].sort((a, b) => a.line - b.line || a.column - b.column);
    super(formatProblems(path, sorted).join('\n'));
    this.problems = sorted;
  }
}

/** Formats problems as `config.yaml:3:5: message`. Editors recognize this compiler format as a link. */
export function formatProblems(path: string, problems: readonly ConfigProblem[]): string[] {
  return problems.map(({ line, column, message }) => `${path}:${line}:${column}: ${message}`);
}
