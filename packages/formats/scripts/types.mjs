import { compile } from 'json-schema-to-typescript';

/** TypeScript of one schema: readonly interfaces, nanoseconds as bigint, without index signatures. */
export async function typesSource(schema) {
  const source = await compile(typed(schema), schema.title, {
    additionalProperties: false,
    bannerComment: `// Generated from ${schema.$id} by scripts/generate.mjs. Do not edit.`,
    strictIndexSignatures: false,
    unknownAny: true,
    unreachableDefinitions: true,
    style: { singleQuote: true, printWidth: 110 },
  });
  return readonly(source);
}

/** The schema as the type generator understands it: `if/then/else` as a choice, int64 as bigint. */
function typed(node, key) {
  if (Array.isArray(node)) return node.map(item => typed(item));
  if (typeof node !== 'object' || node === null) return node;
  const { if: condition, then, else: otherwise, oneOf, discriminator, dependentRequired, ...rest } = node;
  const out = {};
  for (const [name, value] of Object.entries(rest)) out[name] = typed(value, name);
  if (oneOf) out.oneOf = typed(oneOf);
  if (condition && then?.$ref && otherwise?.$ref) {
    delete out.type;
    out.oneOf = [typed(then), typed(otherwise)];
  } else if (condition && then?.$ref) return {};
  if (node.format === 'int64') out.tsType = int64Type(node, key);
  if (node.prefixItems)
    return { description: node.description, tsType: '[low: number | null, high: number | null]' };
  if (node['x-free']) out.tsType = node.type ? 'Readonly<Record<string, unknown>>' : 'unknown';
  return out;
}

/** Nanoseconds are always bigint, so that they can be subtracted; other wide integers only when they must. */
function int64Type(node, key) {
  const type = key?.endsWith('_ns') ? 'bigint' : 'number | bigint';
  return Array.isArray(node.type) ? `${type} | null` : type;
}

function readonly(source) {
  return source
    .replace(/^(\s+)(\[k: string\]: |\w+\??: )/gm, '$1readonly $2')
    .replace(/\b(\w+)\[\]/g, 'readonly $1[]')
    .replace(/: (\[[^\]]*\])\[\]/g, ': readonly (readonly $1)[]')
    .replace(/(: | \| )\[low/g, '$1readonly [low');
}
