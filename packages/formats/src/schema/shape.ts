/**
 * What a document looks like, as far as writing it and finding unknown fields need to know: which fields
 * there are, in which order, and which numbers are floats. Made from the schemas.
 */
export type Shape =
  /** Written as it is. Read, its integers are numbers. */
  | { readonly kind: 'any' }
  /** The same, but its integers stay exact: those of 64 bits, and whatever belongs to the user. */
  | { readonly kind: 'exact' }
  /** A number that is printed with a fraction, as Python prints a float: `19.0`. */
  | { readonly kind: 'float' }
  | { readonly kind: 'array'; readonly items: Shape }
  /** Any keys, in the order in which they come. */
  | { readonly kind: 'map'; readonly values: Shape }
  /** Any keys, in the order of the numbers they stand for, `+Inf` last: buckets, quantiles. */
  | { readonly kind: 'numericMap'; readonly values: Shape }
  | ObjectShape
  /** One of several shapes, told apart by the value of a field. */
  | { readonly kind: 'choice'; readonly field: string; readonly shapes: ReadonlyMap<string, Shape> };

/** An object with known fields. Others may stand beside them. */
export interface ObjectShape {
  readonly kind: 'object';
  readonly fields: ReadonlyMap<string, Shape>;
  readonly rest?: Rest;
}

/** Members of any name that are known by what is in them: the metric blocks of a profile export. */
interface Rest {
  readonly shape: Shape;
  /** An object is one of them when it has one of these fields. */
  readonly having: readonly string[];
  /** The known field after which they are written. */
  readonly after: string;
}

export const any: Shape = { kind: 'any' };
export const exact: Shape = { kind: 'exact' };
export const float: Shape = { kind: 'float' };

export function array(items: Shape): Shape {
  return { kind: 'array', items };
}

export function map(values: Shape): Shape {
  return { kind: 'map', values };
}

export function numericMap(values: Shape): Shape {
  return { kind: 'numericMap', values };
}

export function object(fields: readonly (readonly [string, Shape])[], rest?: Rest): Shape {
  return rest
    ? { kind: 'object', fields: new Map(fields), rest }
    : { kind: 'object', fields: new Map(fields) };
}

export function choice(field: string, shapes: readonly (readonly [string, Shape])[]): Shape {
  return { kind: 'choice', field, shapes: new Map(shapes) };
}

/** The shape of a value: a choice made, anything else as it is. */
export function resolveShape(shape: Shape, value: object): Shape {
  if (shape.kind !== 'choice') return shape;
  const chosen = (value as Record<string, unknown>)[shape.field];
  return (typeof chosen === 'string' && shape.shapes.get(chosen)) || any;
}

/** The shape of a member of an object of this shape, a choice having been made; undefined when the schema has no such field. */
export function memberShape(shape: Shape, key: string, value: unknown): Shape | undefined {
  if (shape.kind === 'map' || shape.kind === 'numericMap') return shape.values;
  if (shape.kind !== 'object') return exact;
  return shape.fields.get(key) ?? (isRest(shape.rest, value) ? shape.rest!.shape : undefined);
}

function isRest(rest: Rest | undefined, value: unknown): boolean {
  if (!rest || typeof value !== 'object' || value === null) return false;
  return rest.having.some(key => Object.hasOwn(value, key));
}
