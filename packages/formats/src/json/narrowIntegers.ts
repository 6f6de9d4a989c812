import { any, exact, memberShape, resolveShape, type Shape } from '../schema/shape.ts';

/**
 * Turns the wide integers that `parseJson` kept exact into numbers, in place, where the schema has floats or
 * counts: a gauge of 2^63 is a float that was printed without a fraction. Times, what belongs to the user and
 * fields that the schema does not know stay exact, so that they are written again as they were read.
 */
export function narrowIntegers(container: object, shape: Shape): void {
  const resolved = resolveShape(shape, container);
  if (Array.isArray(container)) {
    const items = itemShape(resolved);
    for (const [index, item] of container.entries()) container[index] = narrowValue(item, items);
    return;
  }
  const values = container as Record<string, unknown>;
  for (const key of Object.keys(values)) {
    const value = values[key];
    const member = key.endsWith('_ns') ? exact : memberShape(resolved, key, value);
    const narrow = narrowValue(value, member ?? exact);
    // Only what has changed: an assignment to `__proto__` would set the prototype.
    if (narrow !== value && key !== '__proto__') values[key] = narrow;
  }
}

/** A number or a list of numbers has no shape of its own. */
function itemShape(shape: Shape): Shape {
  if (shape.kind === 'array') return shape.items;
  return shape.kind === 'any' ? any : exact;
}

function narrowValue(value: unknown, shape: Shape): unknown {
  if (shape.kind === 'exact') return value;
  if (typeof value === 'bigint') return Number(value);
  if (typeof value === 'object' && value !== null) narrowIntegers(value, shape);
  return value;
}
