import { Environment, Interpreter, type Program, parse, tokenize, type Value } from './jinja.ts';
import { Budget, checkSource, TemplateError, withTemplateErrors } from './limits.ts';

/** A compiled Jinja template. */
export interface CompiledTemplate {
  /** Renders the template. Throws `TemplateError` if it fails, or exceeds a limit. */
  render(variables: Readonly<Record<string, unknown>>): string;
}

/** Maximum number of integers that `range` returns. */
const MAX_RANGE = 10_000;

/**
 * Compiles a Jinja template. Templates are interpreted, and never converted to JavaScript: they read only the
 * variables that are passed to them, and neither files nor properties of JavaScript objects. Throws `TemplateError`
 * if the template is invalid.
 */
export function compileTemplate(source: string): CompiledTemplate {
  checkSource(source);
  const program = withTemplateErrors(() =>
    parse(tokenize(source, { lstrip_blocks: true, trim_blocks: true })),
  );
  return { render: variables => withTemplateErrors(() => render(program, variables)) };
}

function render(program: Program, variables: Readonly<Record<string, unknown>>): string {
  const environment = new Environment();
  for (const [name, value] of Object.entries({ ...GLOBALS, ...variables })) environment.set(name, value);
  const { value } = new LimitedInterpreter(environment).run(program);
  return String(value);
}

/** Interprets a template, and stops when it exceeds a limit. */
class LimitedInterpreter extends Interpreter {
  readonly #budget = new Budget();

  override evaluate(statement: unknown, environment: Environment): Value {
    const result = super.evaluate(statement, environment);
    const { value } = result;
    if (typeof value === 'string') this.#budget.chargeText(value);
    else this.#budget.charge(Array.isArray(value) ? value.length : 0);
    return result;
  }
}

/** The names that templates may use, in addition to their variables. */
const GLOBALS: Readonly<Record<string, unknown>> = {
  true: true,
  True: true,
  false: false,
  False: false,
  none: null,
  None: null,
  range: createRange,
};

/** Returns integers like Python's `range`. */
function createRange(first: unknown, second?: unknown, step: unknown = 1): number[] {
  const [start, stop] = typeof second === 'number' ? [first, second] : [0, first];
  if (![start, stop, step].every(Number.isSafeInteger) || step === 0)
    throw new TemplateError('range requires integers, and a step other than 0');
  const [from, to, by] = [start, stop, step] as [number, number, number];
  const length = Math.max(0, Math.ceil((to - from) / by));
  if (length > MAX_RANGE) throw new TemplateError(`range has more than ${MAX_RANGE} integers`);
  return Array.from({ length }, (_, index) => from + index * by);
}
