/**
 * Returns the TypeScript source of the shapes of all documents: their fields, in writing order.
 *
 * @param documents pairs of an export name and a schema
 */
export function generateShapes(documents) {
  const body = documents.map(([name, schema]) => generateShape(name, schema)).join('\n\n');
  const helpers = ['addition', 'any', 'array', 'choice', 'exact', 'float', 'map', 'numericMap', 'object'];
  const used = helpers.filter(helper => new RegExp(`\\b${helper}\\b`).test(body));
  return `// Generated from schemas/ by scripts/generate.mjs. Do not edit.
import { ${used.join(', ')}, type Shape } from '../schema/shape.ts';

${body}
`;
}

function generateShape(name, schema) {
  const lines = [];
  const constants = new Map();

  /** Returns the name of the constant for a definition. The first call declares the constant. */
  function defineConstant(ref) {
    const definition = ref.replace('#/$defs/', '');
    if (!constants.has(definition)) {
      const source = formatShape(schema.$defs[definition]);
      constants.set(definition, `${name}${definition}`);
      lines.push(`const ${name}${definition}: Shape = ${source};`);
    }
    return constants.get(definition);
  }

  function formatShape(node) {
    if (typeof node !== 'object' || node['x-free'] || node.format === 'int64') return 'exact';
    if (node.$ref) return defineConstant(node.$ref);
    if (node.oneOf) return formatChoice(node);
    if (node.then?.$ref && node.else?.$ref) return formatAlternatives(node);
    const types = [node.type].flat();
    // A number or an array of numbers is written as is.
    if (types.includes('number')) return types.includes('array') ? 'any' : 'float';
    if (types.includes('array'))
      return node.prefixItems ? 'array(float)' : `array(${formatShape(node.items)})`;
    if (!types.includes('object')) return 'any';
    if (node['x-key-order'] === 'numeric') return `numericMap(${formatShape(node.additionalProperties)})`;
    if (!node.properties) return `map(${formatShape(node.additionalProperties)})`;
    return formatObject(Object.entries(node.properties), formatRest(node));
  }

  function formatObject(properties, rest = '') {
    const fields = properties.map(
      ([key, value]) => `\n  ['${key}', ${formatShape(value)}${isAddition(value) ? ', addition' : ''}],`,
    );
    return `object([${fields.join('')}\n]${rest})`;
  }

  /** Reports whether AIPerf does not have a field: it, or all fields of its definition, are additions. */
  function isAddition(node) {
    const source = node['x-source'];
    if (source !== undefined) return source === 'Servelens addition';
    const definition = node.$ref ? schema.$defs[node.$ref.replace('#/$defs/', '')] : node;
    if (definition['x-source'] !== undefined) return isAddition(definition);
    const properties = Object.values(definition.properties ?? {});
    return properties.length > 0 && properties.every(isAddition);
  }

  /**
   * Returns the argument for members of any name that have at least one of several fields:
   * `if: { anyOf: [{ required: [field] }] }`.
   */
  function formatRest({ additionalProperties, 'x-rest-after': after }) {
    if (!additionalProperties?.then) return '';
    const having = additionalProperties.if.anyOf.map(({ required: [field] }) => `'${field}'`).join(', ');
    return `, { shape: ${formatShape(additionalProperties.then)}, having: [${having}], after: '${after}' }`;
  }

  /** Returns the source of a choice of shapes, which is selected by the value of a field. */
  function formatChoice(node) {
    const field = node.discriminator.propertyName;
    const cases = node.oneOf.flatMap(({ $ref }) => {
      const branch = schema.$defs[$ref.replace('#/$defs/', '')];
      return branch.properties[field].enum.map(value => `\n  ['${value}', ${defineConstant($ref)}],`);
    });
    return `choice('${field}', [${cases.join('')}\n])`;
  }

  /** Returns the source of an object with the fields of two alternative shapes, which must not conflict. */
  function formatAlternatives(node) {
    const properties = [node.then, node.else].flatMap(({ $ref }) =>
      Object.entries(schema.$defs[$ref.replace('#/$defs/', '')].properties),
    );
    return formatObject([...new Map(properties)]);
  }

  const root = formatShape(schema);
  return [...lines, `export const ${name}: Shape = ${root};`].join('\n');
}
