import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** A JSON Schema, as far as messages need it. */
export interface SchemaNode {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, SchemaNode>>;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly allOf?: readonly SchemaNode[];
  readonly items?: SchemaNode;
  /** What is accepted here, in words that follow `expected`. */
  readonly 'x-expected'?: string;
}

/** Annotations of ours, which validators pass over. */
export const ANNOTATIONS: readonly string[] = ['x-expected', 'x-unit', 'x-source'];

/** schemas/config.schema.json, which travels with the package of all schemas. */
export function configSchema(): SchemaNode {
  const formats = createRequire(import.meta.url).resolve('@org/formats');
  return JSON.parse(readFileSync(join(dirname(formats), 'schemas/config.schema.json'), 'utf8'));
}

/** The keys that an object of this schema may have, those of schemas that it refers to included. */
export function knownKeys(node: SchemaNode, root: SchemaNode): string[] {
  const referred = node.$ref === undefined ? [] : knownKeys(definition(node.$ref, root), root);
  const joined = (node.allOf ?? []).flatMap(one => knownKeys(one, root));
  return [...new Set([...Object.keys(node.properties ?? {}), ...referred, ...joined])];
}

/** The schema of what stands at a path: keys, and numbers for items. */
export function nodeAt(path: readonly (string | number)[], root: SchemaNode): SchemaNode | undefined {
  let node: SchemaNode | undefined = root;
  for (const step of path) {
    if (node === undefined) return undefined;
    node = typeof step === 'number' ? node.items : propertyOf(node, step, root);
    if (node?.$ref !== undefined && node['x-expected'] === undefined)
      node = { ...definition(node.$ref, root), ...node };
  }
  return node;
}

function propertyOf(node: SchemaNode, key: string, root: SchemaNode): SchemaNode | undefined {
  const { properties, allOf = [], $ref } = node;
  if (properties && Object.hasOwn(properties, key)) return properties[key];
  const others = [...allOf, ...($ref === undefined ? [] : [definition($ref, root)])];
  for (const other of others) {
    const found = propertyOf(other, key, root);
    if (found) return found;
  }
  return undefined;
}

function definition(ref: string, root: SchemaNode): SchemaNode {
  const name = ref.replace('#/$defs/', '');
  const found = root.$defs?.[name];
  if (!found) throw new Error(`BUG: the configuration schema has no definition ${name}`);
  return found;
}
