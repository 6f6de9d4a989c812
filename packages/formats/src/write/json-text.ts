import { numericKeys } from '../bound.ts';
import type { Path } from '../path.ts';
import { any, type ObjectShape, resolveShape, type Shape } from '../shape.ts';
import { floatText } from './number.ts';

/** How a document is written. */
export interface JsonOptions {
  /** Told of every NaN or infinity: JSON has none, so that field is left out. */
  readonly onNonFinite?: (path: Path, value: number) => void;
}

/** Deeper than any document of ours; a chain of objects this long is a circle. */
const maxDepth = 200;

/**
 * Writes plain values as JSON in the order of their shape: known fields first, then the others as they come;
 * buckets by bound. `undefined` and non-finite numbers are absent, bigint is exact.
 */
export class JsonWriter {
  readonly #indent: number;
  readonly #onNonFinite: ((path: Path, value: number) => void) | undefined;
  readonly #path: (string | number)[] = [];

  /** `indent` is the number of spaces of one level; 0 writes one line without spaces. */
  constructor(indent: number, options: JsonOptions = {}) {
    this.#indent = indent;
    this.#onNonFinite = options.onNonFinite;
  }

  /** The whole value. */
  text(value: unknown, shape: Shape = any): string {
    return this.#value(value, shape, 0) ?? 'null';
  }

  /** The same text in pieces: one for each member of the first `depth` levels. */
  *chunks(value: object, shape: Shape, depth: number, level = 0): Generator<string> {
    let opened = false;
    const resolved = resolveShape(shape, value);
    for (const [key, item, itemShape] of members(value, resolved)) {
      this.#path.push(key);
      const lead = `${opened ? ',' : '{'}${this.#line(level + 1)}${this.#key(key)}`;
      if (depth > 1 && isMembered(item)) {
        yield lead;
        yield* this.chunks(item, itemShape, depth - 1, level + 1);
        opened = true;
      } else {
        const text = this.#value(item, itemShape, level + 1);
        if (text !== undefined) yield lead + text;
        opened ||= text !== undefined;
      }
      this.#path.pop();
    }
    yield opened ? `${this.#line(level)}}` : '{}';
  }

  #value(value: unknown, shape: Shape, level: number): string | undefined {
    switch (typeof value) {
      case 'string':
        return JSON.stringify(value);
      case 'number':
        return this.#number(value, shape);
      case 'boolean':
      case 'bigint':
        return String(value);
      case 'object':
        if (value === null) return 'null';
        if (level > maxDepth) throw new RangeError(`cannot write JSON: nested more than ${maxDepth} deep`);
        return Array.isArray(value) ? this.#array(value, shape, level) : this.#object(value, shape, level);
      default:
        return undefined;
    }
  }

  #number(value: number, shape: Shape): string | undefined {
    if (Number.isFinite(value)) return shape.kind === 'float' ? floatText(value) : String(value);
    // In an array the place counts, and null is what stands for an open end of bounds.
    if (typeof this.#path.at(-1) === 'number') return 'null';
    this.#onNonFinite?.([...this.#path], value);
    return undefined;
  }

  #array(items: readonly unknown[], shape: Shape, level: number): string {
    if (items.length === 0) return '[]';
    const itemShape = shape.kind === 'array' ? shape.items : any;
    let text = '[';
    for (let i = 0; i < items.length; i++) {
      this.#path.push(i);
      text += `${i ? ',' : ''}${this.#line(level + 1)}${this.#value(items[i], itemShape, level + 1) ?? 'null'}`;
      this.#path.pop();
    }
    return `${text}${this.#line(level)}]`;
  }

  #object(object: object, shape: Shape, level: number): string {
    let text = '';
    for (const [key, value, valueShape] of members(object, resolveShape(shape, object))) {
      this.#path.push(key);
      const written = this.#value(value, valueShape, level + 1);
      this.#path.pop();
      if (written === undefined) continue;
      text += `${text ? ',' : '{'}${this.#line(level + 1)}${this.#key(key)}${written}`;
    }
    return text ? `${text}${this.#line(level)}}` : '{}';
  }

  #key(key: string): string {
    return this.#indent ? `${JSON.stringify(key)}: ` : `${JSON.stringify(key)}:`;
  }

  #line(level: number): string {
    return this.#indent ? `\n${' '.repeat(level * this.#indent)}` : '';
  }
}

function isMembered(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

type Member = [key: string, value: unknown, shape: Shape];

/** Own members in the order in which they are written. */
function members(object: object, shape: Shape): Member[] {
  const values = object as Record<string, unknown>;
  if (shape.kind === 'object') return knownMembers(values, shape);
  const keys = shape.kind === 'numericMap' ? numericKeys(object) : Object.keys(object);
  const valueShape = shape.kind === 'numericMap' || shape.kind === 'map' ? shape.values : any;
  return keys.map(key => [key, values[key], valueShape]);
}

function knownMembers(values: Record<string, unknown>, shape: ObjectShape): Member[] {
  const rest: Member[] = [];
  for (const key of Object.keys(values))
    if (!shape.fields.has(key)) rest.push([key, values[key], shape.rest?.shape ?? any]);
  const out: Member[] = [];
  for (const [key, field] of shape.fields) {
    if (Object.hasOwn(values, key)) out.push([key, values[key], field]);
    if (key === shape.rest?.after) out.push(...rest.splice(0));
  }
  return rest.length > 0 ? [...out, ...rest] : out;
}
