import { any, exact, findMemberShape, resolveShape, type Shape } from '../schema/shape.ts';

/**
 * Converts wide integers, which `parseJson` returns as bigints, to numbers if their field is a float or count
 * in the schema. For example, a gauge of 2^63 is a float that was written without a fraction. Timestamps,
 * user-defined fields and unknown fields stay exact. Modifies `container` in place.
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
    const narrowed = narrowValue(value, member ?? exact);
    // An assignment to `__proto__` would set the prototype.
    if (narrowed !== value && key !== '__proto__') values[key] = narrowed;
  }
}

/**
 * Returns the shape of the items of an array. A field that can be a number or an array of numbers has the
 * shape `any`.
 */
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
