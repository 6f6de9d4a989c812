import * as library from '@huggingface/jinja';

/** A value of a template. */
export interface Value {
  readonly type: string;
  readonly value: unknown;
}

/** A parsed template. */
export type Program = object;

/** The variables of a template. */
export interface Environment {
  set(name: string, value: unknown): void;
}

/** Evaluates the statements of a template. */
export interface Interpreter {
  run(program: Program): Value;
  evaluate(statement: unknown, environment: Environment): Value;
}

interface Library {
  readonly Environment: new () => Environment;
  readonly Interpreter: new (environment: Environment) => Interpreter;
  tokenize(
    source: string,
    options: { readonly lstrip_blocks: boolean; readonly trim_blocks: boolean },
  ): object[];
  parse(tokens: object[]): Program;
}

// The declarations of the library import files without an extension, which TypeScript does not find.
const jinja = library as unknown as Library;

export const Environment: Library['Environment'] = jinja.Environment;
export const Interpreter: Library['Interpreter'] = jinja.Interpreter;
export const tokenize: Library['tokenize'] = jinja.tokenize;
export const parse: Library['parse'] = jinja.parse;
