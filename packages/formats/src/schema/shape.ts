/**
 * The structure of a document, generated from its schema: the order of fields, and the numbers that are
 * floats. Used to write documents, to convert integers and to find unknown fields.
 */
export type Shape =
  /** Any value. Integers are read as numbers, even if that loses digits. */
  | { readonly kind: 'any' }
  /** A value whose integers are exact, such as a 64-bit integer or a user-defined field. */
  | { readonly kind: 'exact' }
  /** A number, or an array of numbers, always written with a fraction, as in Python: `19.0`. */
  | { readonly kind: 'float' }
  | { readonly kind: 'array'; readonly items: Shape }
  /** An object with arbitrary keys, in insertion order. */
  | { readonly kind: 'map'; readonly values: Shape }
  /** An object with numeric keys in numeric order, `+Inf` last: buckets or quantiles. */
  | { readonly kind: 'numericMap'; readonly values: Shape }
  | ObjectShape
  /** One of several shapes, selected by the value of a field. */
  | { readonly kind: 'choice'; readonly field: string; readonly shapes: ReadonlyMap<string, Shape> };

/** An object with known fields. Other fields are allowed. */
export interface ObjectShape {
  readonly kind: 'object';
  readonly fields: ReadonlyMap<string, Shape>;
  readonly rest?: Rest;
  /** The fields that AIPerf does not have. */
  readonly additions?: ReadonlySet<string>;
}

/** Members with arbitrary names, identified by their contents: the metric blocks of a profile export. */
interface Rest {
  readonly shape: Shape;
  /** Fields that identify such a member: it has at least one of them. */
  readonly having: readonly string[];
  /** The known field after which these members are written. */
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

/** Marks a field that AIPerf does not have. */
export const addition = 'addition';

type Field = readonly [name: string, shape: Shape, mark?: typeof addition];

export function object(fields: readonly Field[], rest?: Rest): Shape {
  const additions = fields.filter(([, , mark]) => mark === addition).map(([name]) => name);
  return {
    kind: 'object',
    fields: new Map(fields.map(([name, shape]) => [name, shape])),
    ...(rest ? { rest } : {}),
    ...(additions.length > 0 ? { additions: new Set(additions) } : {}),
  };
}

/** Returns a copy of a shape in which the field at a path has another shape. */
export function replaceField(shape: Shape, [name, ...path]: readonly string[], field: Shape): Shape {
  if (name === undefined) return field;
  if (shape.kind === 'map') return map(replaceField(shape.values, [name, ...path], field));
  if (shape.kind === 'array') return array(replaceField(shape.items, [name, ...path], field));
  if (shape.kind !== 'object' || !shape.fields.has(name)) throw new Error(`BUG: no field ${name}`);
  const replaced = replaceField(shape.fields.get(name)!, path, field);
  return { ...shape, fields: new Map([...shape.fields, [name, replaced]]) };
}

export function choice(field: string, shapes: readonly (readonly [string, Shape])[]): Shape {
  return { kind: 'choice', field, shapes: new Map(shapes) };
}

/** Returns the shape that a choice selects for the value. Other shapes are returned as is. */
export function resolveShape(shape: Shape, value: object): Shape {
  if (shape.kind !== 'choice') return shape;
  const chosen = (value as Record<string, unknown>)[shape.field];
  return (typeof chosen === 'string' && shape.shapes.get(chosen)) || any;
}

/** Returns the shape of an object's member; undefined if the schema does not have it. `shape` must not be a choice. */
export function findMemberShape(shape: Shape, key: string, value: unknown): Shape | undefined {
  if (shape.kind === 'map' || shape.kind === 'numericMap') return shape.values;
  if (shape.kind !== 'object') return exact;
  return shape.fields.get(key) ?? (isRest(shape.rest, value) ? shape.rest!.shape : undefined);
}

function isRest(rest: Rest | undefined, value: unknown): boolean {
  if (!rest || typeof value !== 'object' || value === null) return false;
  return rest.having.some(key => Object.hasOwn(value, key));
}
