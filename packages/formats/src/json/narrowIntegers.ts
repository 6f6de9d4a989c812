import { any, exact, findMemberShape, resolveShape, type Shape } from '../schema/shape.ts';

/**
 * Converts wide integers, which `parseJson` keeps as bigints, to numbers where the schema has floats or counts. A gauge of 2^63,
 * for example, is a float that was printed without a fraction. Times, user-defined fields and fields that are not in the
 * schema stay exact. Modifies `container` in place.
 */
export function narrowIntegers(container: object, shape: Shape): void {
  const resolved = resolveShape(shape, container);
  if (Array.isArray(container)) {
    const items = getItemShape(resolved);
    for (const [index, item] of container.entries()) container[index] = narrowValue(item, items);
    return;
  }
  const values = container as Record<string, unknown>;
  for (const key of Object.keys(values)) {
    const value = values[key];
    const member = key.endsWith('_ns') ? exact : findMemberShape(resolved, key, value);
    const narrow = narrowValue(value, member ?? exact);
    // Assigning to `__proto__` would set the prototype.
    if (narrow !== value && key !== '__proto__') values[key] = narrow;
  }
}

/** Returns the shape of array items. A field that is a number or an array of numbers has the shape `any`. */
function getItemShape(shape: Shape): Shape {
  if (shape.kind === 'array') return shape.items;
  return shape.kind === 'any' ? any : exact;
}

function narrowValue(value: unknown, shape: Shape): unknown {
  if (shape.kind === 'exact') return value;
  if (typeof value === 'bigint') return Number(value);
  if (typeof value === 'object' && value !== null) narrowIntegers(value, shape);
  return value;
}
