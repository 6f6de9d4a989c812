import { compile } from 'json-schema-to-typescript';

/** Returns the TypeScript types of a schema, as readonly interfaces without index signatures. */
export async function generateTypes(schema) {
  const source = await compile(convertSchema(schema), schema.title, {
    additionalProperties: false,
    bannerComment: `// Generated from ${schema.$id} by scripts/generate.mjs. Do not edit.`,
    strictIndexSignatures: false,
    unknownAny: true,
    unreachableDefinitions: true,
    style: { singleQuote: true, printWidth: 110 },
  });
  return makeReadonly(source);
}

/**
 * Converts a schema for the type generator, which does not support `if/then/else` (converted to `oneOf`),
 * 64-bit integers, and arrays with `prefixItems`.
 */
function convertSchema(node, key) {
  if (Array.isArray(node)) return node.map(item => convertSchema(item));
  if (typeof node !== 'object' || node === null) return node;
  const { if: condition, then, else: otherwise, oneOf, discriminator, dependentRequired, ...rest } = node;
  const out = {};
  for (const [name, value] of Object.entries(rest)) out[name] = convertSchema(value, name);
  if (oneOf) out.oneOf = convertSchema(oneOf);
  if (condition && then?.$ref && otherwise?.$ref) {
    delete out.type;
    out.oneOf = [convertSchema(then), convertSchema(otherwise)];
  } else if (condition && then?.$ref) return {};
  if (node.format === 'int64') out.tsType = toInt64Type(node, key);
  if (node.prefixItems)
    return { description: node.description, tsType: '[low: number | null, high: number | null]' };
  if (node['x-free']) out.tsType = node.type ? 'Readonly<Record<string, unknown>>' : 'unknown';
  return out;
}

/** Returns the type of a 64-bit integer: nanoseconds are always bigint, other integers can also be numbers. */
function toInt64Type(node, key) {
  const type = key?.endsWith('_ns') ? 'bigint' : 'number | bigint';
  return Array.isArray(node.type) ? `${type} | null` : type;
}

function makeReadonly(source) {
  return source
    .replace(/^(\s+)(\[k: string\]: |\w+\??: )/gm, '$1readonly $2')
    .replace(/\b(\w+)\[\]/g, 'readonly $1[]')
    .replace(/(Readonly<Record<string, unknown>>)\[\]/g, 'readonly $1[]')
    .replace(/: (\[[^\]]*\])\[\]/g, ': readonly (readonly $1)[]')
    .replace(/(: | \| )\[low/g, '$1readonly [low');
}
