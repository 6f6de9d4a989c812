import { parseJson } from '../../src/json/parse.ts';
import { stringifyJson } from '../../src/write.ts';

export type Key = string | number;
export type Tree = Record<Key, unknown>;

/** A place in a document: a field of an object or an item of an array. */
export interface Site {
  readonly path: readonly Key[];
  /** The path as text, with `/` between keys. */
  readonly text: string;
  readonly parent: Tree;
  readonly key: Key;
  readonly value: unknown;
}

/** JSON text in place of a value, such as `1.76e18`, which no parsed value represents. */
export class RawJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Returns a tree of plain objects and arrays for a JSON text. */
export function parseTree(text: string): unknown {
  return parseJson(text).value;
}

/** Lists every place in a tree. */
export function listSites(tree: unknown): Site[] {
  const sites: Site[] = [];
  const visit = (parent: unknown, path: readonly Key[]): void => {
    if (typeof parent !== 'object' || parent === null) return;
    for (const key of Array.isArray(parent) ? parent.keys() : Object.keys(parent)) {
      const value = (parent as Tree)[key];
      const sitePath = [...path, key];
      sites.push({ path: sitePath, text: sitePath.join('/'), parent: parent as Tree, key, value });
      visit(value, sitePath);
    }
  };
  visit(tree, []);
  return sites;
}

/** Returns the place with the same path in a copy of the tree. */
export function findSite(tree: unknown, path: readonly Key[]): Site {
  const parent = path.slice(0, -1).reduce<unknown>((node, key) => (node as Tree)[key], tree) as Tree;
  const key = path.at(-1)!;
  return { path, text: path.join('/'), parent, key, value: parent[key] };
}

/** Returns the JSON text of a tree that may contain `RawJson`. */
export function formatTree(tree: unknown): string {
  const raw = new Map<string, string>();
  const replace = (value: unknown): unknown => {
    if (value instanceof RawJson) {
      const mark = `raw JSON ${raw.size}`;
      raw.set(mark, value.text);
      return mark;
    }
    if (Array.isArray(value)) return value.map(replace);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, replace(item)]));
  };
  const text = stringifyJson(replace(tree));
  return text.replace(/"raw JSON \d+"/g, mark => raw.get(mark.slice(1, -1))!);
}
