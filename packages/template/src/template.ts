import { Environment, Interpreter, type Program, parse, tokenize, type Value } from './jinja.ts';
import { Budget, checkSource, TemplateError, withTemplateErrors } from './limits.ts';
import { describeExpression, listNames, listPrintedNodes, type TemplateNode } from './nodes.ts';
import { convertOperands } from './textFilters.ts';

/** A compiled Jinja template. */
export interface CompiledTemplate {
  /** The names that the template refers to, including the names of its filters. */
  readonly names: ReadonlySet<string>;
  /** Renders the template. Throws `TemplateError` if it fails, or exceeds a limit. */
  render(variables: Readonly<Record<string, unknown>>): string;
}

/** Options of a template. */
export interface TemplateOptions {
  /** True to fail if a printed expression is not defined. By default, it prints nothing. */
  readonly isStrict?: boolean;
  /** The limit on the cost of all templates that share it. By default, each evaluation has its own. */
  readonly budget?: Budget;
  /** The limit on the cost of each evaluation, if there is no `budget`; 100,000 by default. */
  readonly maxSteps?: number;
}

/** Maximum number of integers that `range` returns. */
const MAX_RANGE = 10_000;

/**
 * Compiles a Jinja template. Templates are interpreted, and never converted to JavaScript: they read only the
 * variables that are passed to them, and neither files nor properties of JavaScript objects. Throws `TemplateError`
 * if the template is invalid.
 */
export function compileTemplate(source: string, options: TemplateOptions = {}): CompiledTemplate {
  checkSource(source);
  const program = withTemplateErrors(() =>
    parse(tokenize(source, { lstrip_blocks: true, trim_blocks: true })),
  );
  const names = withTemplateErrors(() => listNames(program));
  convertOperands(program);
  return {
    names,
    render: variables => withTemplateErrors(() => render(program, variables, options)),
  };
}

function render(
  program: Program,
  variables: Readonly<Record<string, unknown>>,
  options: TemplateOptions,
): string {
  const environment = new Environment();
  for (const [name, value] of Object.entries({ ...GLOBALS, ...variables })) environment.set(name, value);
  const { value } = new LimitedInterpreter(environment, program, options).run(program);
  return String(value);
}

/** Interprets a template, and stops when it exceeds a limit. */
class LimitedInterpreter extends Interpreter {
  readonly #budget: Budget;
  /** The statements that have to be defined. */
  readonly #required: ReadonlySet<unknown>;

  constructor(environment: Environment, program: Program, { isStrict, budget, maxSteps }: TemplateOptions) {
    super(environment);
    this.#budget = budget ?? new Budget(maxSteps);
    this.#required = new Set(isStrict ? listPrintedNodes(program) : []);
  }

  override evaluate(statement: unknown, environment: Environment): Value {
    const result = super.evaluate(statement, environment);
    const { type, value } = result;
    if (type === 'UndefinedValue' && this.#required.has(statement))
      throw new TemplateError(`${describeExpression(statement as TemplateNode)} is not defined`);
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
