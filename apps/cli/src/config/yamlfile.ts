import { readTextFile } from '@org/scrape';
import { UsageError } from '@org/terminal';
import { type Document, isMap, isNode, isScalar, LineCounter, parseDocument, visit } from 'yaml';
import type { Io } from '../io.ts';
import type { Problem } from './problem.ts';

/** A way into a document: keys of mappings, and numbers of items. */
export type Path = readonly (string | number)[];

/**
 * What is wrong with a text that is no YAML. Messages of the library may quote the text, and with it a secret; these do not.
 */
const SYNTAX: Readonly<Record<string, string>> = {
  BAD_INDENT: 'is indented in a way that YAML does not know, or lacks a closing bracket',
  BLOCK_AS_IMPLICIT_KEY: 'has a colon too many, or a text that must stand in quotes',
  DUPLICATE_KEY: 'has this key twice',
  IMPOSSIBLE: 'cannot be read as YAML',
  MISSING_CHAR: 'lacks a character, such as a closing quote or bracket, or a colon behind a key',
  MULTILINE_IMPLICIT_KEY: 'lacks a colon behind a key, or has a text that must stand in quotes',
  MULTIPLE_DOCS: 'has a second document; expected one',
  TAB_AS_INDENT: 'is indented with a tab; expected blanks',
  UNEXPECTED_TOKEN: 'has something that cannot stand here; a text may need quotes',
};

/** A YAML file whose places are known, so that what is wrong can be shown where it stands. */
export class YamlFile {
  readonly #document: Document.Parsed;
  readonly #lines: LineCounter = new LineCounter();
  /** What is wrong with the text itself; then there is no value. */
  readonly problems: Problem[];
  readonly #expanded = new Set<unknown>();

  /** `shown` is the path as the user named it. Throws `UsageError` when the file cannot be read. */
  constructor(path: string, shown: string, env: Io['env']) {
    const text = readText(path, shown);
    this.#document = parseDocument(text, { prettyErrors: false, lineCounter: this.#lines });
    this.problems = this.#document.errors.map(({ code, pos: [offset] }) => ({
      ...this.#position(offset),
      message: SYNTAX[code] ?? `cannot be read as YAML (${code.toLowerCase().replaceAll('_', ' ')})`,
    }));
    if (this.problems.length === 0) this.#findAliases();
    if (this.problems.length === 0) this.#expand(env);
  }

  /** What the file says, as plain objects; null when it says nothing. */
  value(): unknown {
    try {
      return this.#document.toJS({ maxAliasCount: 100 }) ?? null;
    } catch (error) {
      if (!(error instanceof ReferenceError)) throw error;
      this.problems.push({
        line: 1,
        column: 1,
        message: 'refers to itself too often by anchors and aliases',
      });
      return null;
    }
  }

  /** Whether something stands at a path. */
  has(path: Path): boolean {
    return this.#document.hasIn(path);
  }

  /** Whether what stands at a path comes from the environment, with all the secrets that are there. */
  isFromEnvironment(path: Path): boolean {
    return this.#expanded.has(this.#document.getIn(path, true));
  }

  /** A problem with the value at a path, or with what holds it where there is none. */
  at(path: Path, message: string): Problem {
    for (let length = path.length; length >= 0; length--) {
      const node = length === 0 ? this.#document.contents : this.#document.getIn(path.slice(0, length), true);
      if (isNode(node) && node.range) return { ...this.#position(node.range[0]), message };
    }
    return { line: 1, column: 1, message };
  }

  /** A problem with a key of the mapping at a path. */
  atKey(path: Path, key: string, message: string): Problem {
    const map = path.length === 0 ? this.#document.contents : this.#document.getIn(path, true);
    const pair = isMap(map)
      ? map.items.find(one => isScalar(one.key) && String(one.key.value) === key)
      : undefined;
    const range = isScalar(pair?.key) ? pair.key.range : undefined;
    return range ? { ...this.#position(range[0]), message } : this.at(path, message);
  }

  #position(offset: number): { line: number; column: number } {
    const { line, col } = this.#lines.linePos(offset);
    return { line, column: col };
  }

  /** An alias of nothing is most often a text, such as a password, that begins with `*`. */
  #findAliases(): void {
    visit(this.#document, {
      Alias: (_, node) => {
        if (node.resolve(this.#document) !== undefined) return;
        const message = 'begins with * but is no alias of an anchor; such a text must stand in quotes';
        this.problems.push({ ...this.#position(node.range![0]), message });
      },
    });
  }

  /** `${NAME}` in a value is the environment variable NAME, `$${` a dollar and a brace. What it holds is never read as YAML. */
  #expand(env: Io['env']): void {
    visit(this.#document, {
      Scalar: (key, node) => {
        if (key === 'key' || typeof node.value !== 'string') return;
        node.value = node.value.replace(
          /\$(\$\{)|\$\{([^}]*)\}?/g,
          (_, escaped: string | undefined, name = '') => {
            if (escaped !== undefined) return escaped;
            const value = env[name];
            if (value === undefined)
              this.problems.push({ ...this.#position(node.range![0]), message: unset(name) });
            else this.#expanded.add(node);
            return value ?? '';
          },
        );
      },
    });
  }
}

function unset(name: string): string {
  if (!/^[A-Za-z_]\w*$/.test(name))
    return `has \${ without the name of a variable behind it; expected \${NAME}, or $\${ for the characters themselves`;
  return `the environment has no variable ${name}; expected one, or $\${ for the characters themselves`;
}

function readText(path: string, shown: string): string {
  try {
    return readTextFile(path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === 'ENOENT' ? 'no such file' : code === 'EISDIR' ? 'it is a directory' : message;
    throw new UsageError(`cannot read the configuration file ${JSON.stringify(shown)}: ${why}`);
  }
}
