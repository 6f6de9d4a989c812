import { Budget, TemplateError } from './limits.ts';
import { compileTemplate } from './template.ts';

/** A document with Jinja templates in its texts. */
export interface TemplateDocument {
  readonly document: unknown;
  /** Variables by name. Their values may be templates that refer to each other. */
  readonly variables: Readonly<Record<string, unknown>>;
  /** Other values that templates may refer to. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Keys whose values are not rendered. */
  readonly rawKeys: readonly string[];
  /** Converts the text of a template to a value, such as a number. */
  readonly parseText: (text: string) => unknown;
}

/** The path of a value in a document: keys of mappings and indices of lists. */
type Path = readonly (string | number)[];

/** A template of a document that cannot be rendered. */
export interface TemplateProblem {
  readonly path: Path;
  readonly message: string;
}

/** A document without templates. Values with problems are undefined. */
export interface RenderedDocument {
  readonly document: unknown;
  readonly problems: readonly TemplateProblem[];
}

/** The key of the variables in the document. */
const VARIABLES = 'variables';

/** Reports whether a text contains an expression or a statement of Jinja. */
export function isTemplate(text: string): boolean {
  return text.includes('{{') || text.includes('{%');
}

/**
 * Renders all templates of a document. The limits apply to all templates together. An expression that is not defined is
 * a problem, as in AIPerf.
 */
export function renderDocument(input: TemplateDocument): RenderedDocument {
  const renderer = new DocumentRenderer(input);
  const variables = renderer.renderVariables(input.variables);
  const document = renderer.render(input.document, []);
  return {
    document:
      Object.keys(variables).length > 0 ? { ...(document as object), [VARIABLES]: variables } : document,
    problems: renderer.problems,
  };
}

class DocumentRenderer {
  readonly problems: TemplateProblem[] = [];
  readonly #names: Map<string, unknown>;
  readonly #rawKeys: ReadonlySet<string>;
  readonly #parseText: (text: string) => unknown;
  readonly #budget = new Budget();

  constructor({ values, variables, rawKeys, parseText }: TemplateDocument) {
    this.#names = new Map(Object.entries(values).filter(([name]) => !Object.hasOwn(variables, name)));
    this.#rawKeys = new Set(rawKeys);
    this.#parseText = parseText;
  }

  /** Renders the variables in the order of their references. Each can refer to the variables before it. */
  renderVariables(variables: Readonly<Record<string, unknown>>): Record<string, unknown> {
    const pending = new Map(Object.entries(variables).map(([name, value]) => [name, listReferences(value)]));
    while (pending.size > 0) {
      const ready = [...pending].find(([, names]) => ![...names].some(name => pending.has(name)));
      if (!ready) {
        const names = [...pending.keys()].sort();
        const message = `the variables refer to each other in a circle: ${names.join(', ')}`;
        this.problems.push({ path: [VARIABLES, names[0]!], message });
        break;
      }
      const [name] = ready;
      pending.delete(name);
      this.#names.set(name, this.render(variables[name], [VARIABLES, name]));
    }
    return Object.fromEntries(Object.keys(variables).map(name => [name, this.#names.get(name)]));
  }

  render(value: unknown, path: Path): unknown {
    if (typeof value === 'string') return isTemplate(value) ? this.#renderText(value, path) : value;
    if (Array.isArray(value)) return value.map((item, index) => this.render(item, [...path, index]));
    if (typeof value !== 'object' || value === null) return value;
    const isRaw = (key: string): boolean =>
      this.#rawKeys.has(key) || (path.length === 0 && key === VARIABLES);
    return Object.fromEntries(
      Object.entries(value).map(([key, child]) => [
        key,
        isRaw(key) ? child : this.render(child, [...path, key]),
      ]),
    );
  }

  #renderText(text: string, path: Path): unknown {
    try {
      const template = compileTemplate(text, { isStrict: true, budget: this.#budget });
      const names = [...template.names].filter(name => this.#names.has(name));
      const values = Object.fromEntries(names.map(name => [name, this.#names.get(name)]));
      this.#budget.charge(countValues(values));
      return this.#parseText(template.render(values));
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error;
      this.problems.push({ path, message: error.message });
      return undefined;
    }
  }
}

/** Counts a value and all values in it. */
function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce((count: number, child) => count + countValues(child), 1);
}

/** Lists the names that the templates in a value refer to. Invalid templates are reported when they are rendered. */
function listReferences(value: unknown): ReadonlySet<string> {
  if (typeof value === 'string') return isTemplate(value) ? listTemplateNames(value) : new Set();
  const children = typeof value === 'object' && value !== null ? Object.values(value) : [];
  return new Set(children.flatMap(child => [...listReferences(child)]));
}

function listTemplateNames(text: string): ReadonlySet<string> {
  try {
    return compileTemplate(text).names;
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    return new Set();
  }
}
