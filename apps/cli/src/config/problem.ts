/** Something that is wrong with a configuration file, and where. */
export interface Problem {
  /** From 1. */
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** A configuration file cannot be used as it is. */
export class ConfigError extends Error {
  override readonly name: string = 'ConfigError';
  readonly problems: readonly Problem[];

  /** `path` as the user named it. */
  constructor(path: string, problems: readonly Problem[]) {
    const sorted = [...problems].sort((a, b) => a.line - b.line || a.column - b.column);
    super(problemLines(path, sorted).join('\n'));
    this.problems = sorted;
  }
}

/** `config.yaml:3:5: ...`, as compilers say it and editors can follow it. */
export function problemLines(path: string, problems: readonly Problem[]): string[] {
  return problems.map(({ line, column, message }) => `${path}:${line}:${column}: ${message}`);
}
