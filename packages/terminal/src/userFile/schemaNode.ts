/** The fields of a JSON Schema that are used to create messages. */
export interface SchemaNode {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, SchemaNode>>;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly allOf?: readonly SchemaNode[];
  readonly items?: SchemaNode;
  /** The schema of the values of a mapping with any keys. */
  readonly additionalProperties?: SchemaNode | boolean;
  /** A description of the accepted values, which follows "expected" in messages. */
  readonly 'x-expected'?: string;
}

/** Custom keywords of the schema, which do not affect validation. */
export const ANNOTATIONS: readonly string[] = ['x-expected', 'x-unit', 'x-source'];

/** Lists the keys that a schema defines for an object, including keys from referenced schemas. */
export function listKnownKeys(node: SchemaNode, root: SchemaNode): string[] {
  const referencedKeys = node.$ref === undefined ? [] : listKnownKeys(findDefinition(node.$ref, root), root);
  const combinedKeys = (node.allOf ?? []).flatMap(subschema => listKnownKeys(subschema, root));
  return [...new Set([...Object.keys(node.properties ?? {}), ...referencedKeys, ...combinedKeys])];
}

/** Finds the schema of the value at a path. Returns undefined if the schema does not define the path. */
export function findNode(path: readonly (string | number)[], root: SchemaNode): SchemaNode | undefined {
  let node: SchemaNode | undefined = root;
  for (const step of path) {
    if (node === undefined) return undefined;
    node = typeof step === 'number' ? node.items : findProperty(node, step, root);
    if (node?.$ref !== undefined && node['x-expected'] === undefined)
      node = { ...findDefinition(node.$ref, root), ...node };
  }
  return node;
}

function findProperty(node: SchemaNode, key: string, root: SchemaNode): SchemaNode | undefined {
  const { properties, allOf = [], $ref } = node;
  if (properties && Object.hasOwn(properties, key)) return properties[key];
  const subschemas = [...allOf, ...($ref === undefined ? [] : [findDefinition($ref, root)])];
  for (const subschema of subschemas) {
    const property = findProperty(subschema, key, root);
    if (property) return property;
  }
  const { additionalProperties } = node;
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}

function findDefinition(ref: string, root: SchemaNode): SchemaNode {
  const name = ref.replace('#/$defs/', '');
  const definition = root.$defs?.[name];
  if (!definition) throw new Error(`BUG: the schema has no definition ${name}`);
  return definition;
}
