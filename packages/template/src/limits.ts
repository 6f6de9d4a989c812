/** An error of a template or a query, or a limit that it exceeds. The message names the cause. */
export class TemplateError extends Error {
  override name = 'TemplateError';
}

/** Maximum length of a template or a query, in characters. */
const MAX_SOURCE_CHARACTERS = 1 << 20;
/** Maximum length of a text that a template creates, in characters. */
const MAX_TEXT_CHARACTERS = 1 << 24;
/** Default maximum cost of one evaluation: one for each step, and one for each item of a list that a step returns. */
const MAX_STEPS = 100_000;
/** Number of characters of a returned text that cost one step. */
const CHARACTERS_PER_STEP = 4096;

/** Counts the cost of one evaluation. */
export class Budget {
  readonly #maxSteps: number;
  #steps = 0;

  constructor(maxSteps: number = MAX_STEPS) {
    this.#maxSteps = maxSteps;
  }

  /** Counts a step and the size of its result. Throws `TemplateError` if the evaluation exceeds a limit. */
  charge(size: number): void {
    this.#steps += 1 + size;
    if (this.#steps > this.#maxSteps) throw new TemplateError(`takes more than ${this.#maxSteps} steps`);
  }

  /** Counts a step that returned a text. Throws `TemplateError` if the evaluation exceeds a limit. */
  chargeText({ length }: string): void {
    if (length > MAX_TEXT_CHARACTERS)
      throw new TemplateError(`creates a text of more than ${MAX_TEXT_CHARACTERS} characters`);
    this.charge(Math.floor(length / CHARACTERS_PER_STEP));
  }
}

/** Runs `evaluate`, and converts any error to `TemplateError`. */
export function withTemplateErrors<T>(evaluate: () => T): T {
  try {
    return evaluate();
  } catch (error) {
    if (error instanceof TemplateError) throw error;
    throw new TemplateError(error instanceof Error ? error.message : String(error));
  }
}

/** Throws `TemplateError` if a template or a query is too long. */
export function checkSource({ length }: string): void {
  if (length > MAX_SOURCE_CHARACTERS)
    throw new TemplateError(`has ${length} characters; the maximum is ${MAX_SOURCE_CHARACTERS}`);
}
