import {
  type Document,
  isMap,
  isNode,
  isPair,
  isScalar,
  LineCounter,
  parseDocument,
  stringify,
  visit,
} from 'yaml';
import type { FileProblem } from './fileProblem.ts';
import { parseScalar } from './scalar.ts';

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A path in a document: keys of mappings and indices of lists. */
export type Path = readonly (string | number)[];

/** Messages by error code of the YAML parser. The parser's own messages may quote secrets from the file. */
const SYNTAX_MESSAGES: Readonly<Record<string, string>> = {
  BAD_INDENT: 'invalid indentation, or a missing closing bracket',
  BLOCK_AS_IMPLICIT_KEY: 'unexpected colon; text that contains ": " must be quoted',
  DUPLICATE_KEY: 'duplicate key',
  IMPOSSIBLE: 'invalid YAML',
  MISSING_CHAR: 'missing character: a closing quote, a closing bracket, or a colon after a key',
  MULTILINE_IMPLICIT_KEY: 'missing colon after a key, or text that must be quoted',
  MULTIPLE_DOCS: 'unexpected second document; expected one document',
  TAB_AS_INDENT: 'indented with a tab; expected spaces',
  UNEXPECTED_TOKEN: 'unexpected character; the text may need quotes',
};

/** Formats plain objects as YAML. */
export function formatYaml(value: unknown): string {
  return stringify(value, { aliasDuplicateObjects: false });
}

/** A YAML file with the positions of its values, so that problems can be reported by line and column. */
export class YamlFile {
  readonly #document: Document.Parsed;
  readonly #lines: LineCounter = new LineCounter();
  /**
   * Syntax errors, aliases of unknown anchors and unset variables. The contents are valid only if the list is
   * empty.
   */
  readonly problems: FileProblem[];
  /** Nodes whose values contain environment variables. */
  readonly #expanded = new Set<unknown>();

  /**
   * Parses the text of a file. With environment variables, `${NAME}` and `${NAME:default}` in values are replaced by a
   * variable. The result is a text; in the top-level keys that `hasTypedVariables` accepts, a value that consists of
   * one variable becomes a number or a boolean if it looks like one.
   */
  constructor(
    text: string,
    env?: Environment,
    hasTypedVariables: (topLevelKey: string) => boolean = () => false,
  ) {
    const { document, problems } = this.#parse(text);
    this.#document = document;
    this.problems = problems;
    if (this.problems.length === 0) this.#checkAliases();
    if (env && this.problems.length === 0) this.#expandVariables(env, hasTypedVariables);
  }

  #parse(text: string): { readonly document: Document.Parsed; readonly problems: FileProblem[] } {
    try {
      const document = parseDocument(text, { prettyErrors: false, lineCounter: this.#lines });
      const problems = document.errors.map(({ code, pos: [offset] }) => ({
        ...this.#getPosition(offset),
        message: SYNTAX_MESSAGES[code] ?? `invalid YAML (${code.toLowerCase().replaceAll('_', ' ')})`,
      }));
      return { document, problems };
    } catch (error) {
      // The parser is recursive, so that a deeply nested text exhausts the stack.
      if (!(error instanceof RangeError)) throw error;
      return { document: parseDocument(''), problems: [{ line: 1, column: 1, message: TOO_DEEP }] };
    }
  }

  /**
   * Returns the contents as plain objects; null if the file is empty, nested too deeply or has too many aliases, which
   * is then added to `problems`.
   */
  toObject(): unknown {
    try {
      const value = this.#document.toJS({ maxAliasCount: 100 }) ?? null;
      const problem = findStructureProblem(value, [], new Set());
      if (problem === undefined) return value;
      this.problems.push(this.createProblem(problem.path, problem.message));
    } catch (error) {
      if (!(error instanceof ReferenceError)) throw error;
      this.problems.push({ line: 1, column: 1, message: 'too many aliases of anchors' });
    }
    return null;
  }

  /** Reports whether there is a value at a path. */
  has(path: Path): boolean {
    return this.#document.hasIn(path);
  }

  /** Reports whether the value at a path contains an environment variable, which may be a secret. */
  isFromEnvironment(path: Path): boolean {
    return this.#expanded.has(this.#document.getIn(path, true));
  }

  /** Creates a problem at the position of a value, or of its closest existing parent. */
  createProblem(path: Path, message: string): FileProblem {
    for (let length = path.length; length >= 0; length--) {
      const node = length === 0 ? this.#document.contents : this.#document.getIn(path.slice(0, length), true);
      if (isNode(node) && node.range) return { ...this.#getPosition(node.range[0]), message };
    }
    return { line: 1, column: 1, message };
  }

  /** Creates a problem at the position of a key of the mapping at `path`. */
  createKeyProblem(path: Path, key: string, message: string): FileProblem {
    const map = path.length === 0 ? this.#document.contents : this.#document.getIn(path, true);
    const pair = isMap(map)
      ? map.items.find(item => isScalar(item.key) && String(item.key.value) === key)
      : undefined;
    const range = isScalar(pair?.key) ? pair.key.range : undefined;
    return range ? { ...this.#getPosition(range[0]), message } : this.createProblem(path, message);
  }

  #getPosition(offset: number): { line: number; column: number } {
    const { line, col } = this.#lines.linePos(offset);
    return { line, column: col };
  }

  /**
   * Adds aliases of unknown anchors to the problems. They are usually unquoted texts, such as passwords, that
   * start with `*`.
   */
  #checkAliases(): void {
    visit(this.#document, {
      Alias: (_, node) => {
        if (node.resolve(this.#document) !== undefined) return;
        const message = 'alias of an unknown anchor; text that starts with * must be quoted';
        this.problems.push({ ...this.#getPosition(node.range![0]), message });
      },
    });
  }

  /** Replaces `${NAME}` in values with environment variables, and `$${` with `${`. The result is not parsed as YAML. */
  #expandVariables(env: Environment, hasTypedVariables: (topLevelKey: string) => boolean): void {
    visit(this.#document, {
      Scalar: (key, node, ancestors) => {
        if (key === 'key' || typeof node.value !== 'string') return;
        const text = node.value;
        const expanded = text.replace(
          /\$(\$\{)|\$\{([^}:]*)(?::([^}]*))?\}?/g,
          (_, escaped: string | undefined, name = '', fallback?: string) => {
            if (escaped !== undefined) return escaped;
            const value = VARIABLE_NAME.test(name) ? (env[name] ?? fallback) : undefined;
            if (value === undefined)
              this.problems.push({
                ...this.#getPosition(node.range![0]),
                message: describeUnsetVariable(name),
              });
            else if (env[name] !== undefined) this.#expanded.add(node);
            return value ?? '';
          },
        );
        const isTyped = /^\$\{[^}]*\}$/.test(text) && hasTypedVariables(findTopLevelKey(ancestors));
        node.value = isTyped ? parseScalar(expanded) : expanded;
      },
    });
  }
}

/** Finds the key of the document's mapping that contains a node. */
function findTopLevelKey(ancestors: readonly unknown[]): string {
  const pair = ancestors.find(isPair);
  return isScalar(pair?.key) ? String(pair.key.value) : '';
}

/** Maximum depth of nested values, as in AIPerf. */
const MAX_DEPTH = 256;

const TOO_DEEP = `nested too deeply; expected at most ${MAX_DEPTH} levels`;

/** Finds a value that contains itself, through an alias, or that is nested too deeply. */
function findStructureProblem(
  value: unknown,
  path: Path,
  parents: Set<unknown>,
): { readonly path: Path; readonly message: string } | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (parents.has(value)) return { path, message: 'alias of a value that contains the alias' };
  if (parents.size >= MAX_DEPTH) return { path, message: TOO_DEEP };
  parents.add(value);
  const isList = Array.isArray(value);
  for (const [key, child] of Object.entries(value)) {
    const problem = findStructureProblem(child, [...path, isList ? Number(key) : key], parents);
    if (problem) return problem;
  }
  parents.delete(value);
  return undefined;
}

const VARIABLE_NAME = /^[A-Za-z_]\w*$/;

function describeUnsetVariable(name: string): string {
  const hint = `write $\${ for a literal \${`;
  if (!VARIABLE_NAME.test(name))
    return `invalid variable name after \${; expected \${NAME} or \${NAME:default}; ${hint}`;
  return `environment variable ${name} is not set; ${hint}`;
}
