import { NestedFields } from './nestedFields.ts';

/** The values of one field: a value that all objects share, one value an object, or the fields of nested objects. */
export type Column =
  | { readonly kind: 'constant'; readonly value: unknown }
  | { readonly kind: 'values'; readonly values: ArrayLike<number> | readonly bigint[] }
  | { readonly kind: 'table'; readonly table: Table };

/** Objects with the same fields in the same order. */
export interface Table {
  readonly length: number;
  readonly columns: ReadonlyMap<string, Column>;
}

/** The objects of a table, and their places in the list. */
export interface Group {
  readonly table: Table;
  readonly places: readonly number[];
}

type Fields = Record<string, unknown>;

/** A list of similar objects, such as timeslices, in columns: numbers in typed arrays, and equal values once. */
export class PackedObjects {
  readonly #groups: readonly Group[];
  readonly #nested: NestedFields;

  /** @param nested fields of nested objects, which lists of a document share */
  constructor(groups: readonly Group[], nested: NestedFields = new NestedFields()) {
    this.#groups = groups;
    this.#nested = nested;
  }

  /** Creates the objects. */
  unpack(): Fields[] {
    const [first, ...others] = this.#groups;
    if (first && others.length === 0) return unpackTable(first.table, this.#nested);
    const objects: Fields[] = [];
    for (const { table, places } of this.#groups)
      for (const [index, object] of unpackTable(table, this.#nested).entries())
        objects[places[index]!] = object;
    return objects;
  }

  /**
   * Creates a few objects that have all combinations of fields, and the extreme values of each field. They match a schema
   * that only restricts the type and the range of fields, and the fields that occur together, if all objects do.
   */
  sample(): Fields[] {
    return this.#groups.flatMap(({ table }) => SAMPLES.map(select => sampleTable(table, select)));
  }
}

/** Returns numbers as a column of the smallest type that contains them. */
export function packNumbers(values: Float64Array): Column {
  const first = values[0]!;
  if (values.every(value => Object.is(value, first))) return { kind: 'constant', value: first };
  // An Int32Array cannot contain -0.
  const isInt32 = values.every(value => Object.is(value, value | 0));
  // Copied, because the values may be the start of a larger column.
  return { kind: 'values', values: isInt32 ? new Int32Array(values) : new Float64Array(values) };
}

/** Creates the objects of a table. Nested objects are created when they are read. */
function unpackTable({ length, columns }: Table, nested: NestedFields): Fields[] {
  const objects = Array.from({ length }, (): Fields => ({}));
  if ([...columns.values()].some(({ kind }) => kind === 'table')) {
    const read = (key: string, row: number): unknown => readValue(columns.get(key)!, row);
    for (const [row, object] of objects.entries()) nested.connect(object, read, row);
  }
  for (const [key, column] of columns) {
    if (column.kind === 'constant') for (const object of objects) object[key] = column.value;
    else if (column.kind === 'table') for (const object of objects) nested.define(object, key);
    else for (let row = 0; row < length; row++) objects[row]![key] = column.values[row];
  }
  return objects;
}

function readValue(column: Column, row: number): unknown {
  if (column.kind === 'constant') return column.value;
  if (column.kind === 'values') return column.values[row];
  const object: Fields = {};
  for (const [key, field] of column.table.columns) object[key] = readValue(field, row);
  return object;
}

type Value = number | bigint;

/** Selects values of a column: the lowest, the highest, and one that is not an integer. */
const SAMPLES: readonly ((values: ArrayLike<Value>) => Value)[] = [
  values => findValue(values, (a, b) => a < b),
  values => findValue(values, (a, b) => a > b),
  values => findValue(values, (a, b) => Number.isInteger(b) && !Number.isInteger(a) && typeof a === 'number'),
];

function findValue(values: ArrayLike<Value>, isBetter: (a: Value, b: Value) => boolean): Value {
  let found = values[0]!;
  for (let index = 1; index < values.length; index++)
    if (isBetter(values[index]!, found)) found = values[index]!;
  return found;
}

function sampleTable({ columns }: Table, select: (typeof SAMPLES)[number]): Fields {
  const object: Fields = {};
  for (const [key, column] of columns) {
    if (column.kind === 'constant') object[key] = column.value;
    else if (column.kind === 'table') object[key] = sampleTable(column.table, select);
    else object[key] = select(column.values);
  }
  return object;
}
