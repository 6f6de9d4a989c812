import { any, findMemberShape, type ObjectShape, resolveShape, type Shape } from '../schema/shape.ts';
import { sortNumericKeys } from './numericKeys.ts';
import { MAX_NESTING_DEPTH } from './parse.ts';
import type { Path } from './path.ts';

/** Options for writing JSON. */
export interface JsonOptions {
  /** Layout of the file. `servelens` (default) has all fields; `aiperf` has only the fields of AIPerf's files. */
  readonly layout?: 'servelens' | 'aiperf';
  /** True to sort the keys of objects. Entries of iterables keep their order. */
  readonly sortKeys?: boolean;
  /** Called for each field that is omitted because its value is NaN or infinite, which JSON does not support. */
  readonly onNonFinite?: (path: Path, value: number) => void;
}

/** Maximum length of a text piece. Few pieces are fast to join; short pieces are cheap to garbage-collect. */
const PIECE_LENGTH = 1 << 15;

/**
 * Writes values as JSON. Known fields are written in the order of the shape, followed by other fields in
 * insertion order; buckets are sorted by bound. Fields that are `undefined` or not finite are omitted, and
 * bigints are written exactly.
 */
export class JsonWriter {
  readonly #indent: number;
  readonly #onNonFinite: ((path: Path, value: number) => void) | undefined;
  readonly #isAiperf: boolean;
  readonly #sortKeys: boolean;
  readonly #path: (string | number)[] = [];
  /** Cached text before a value, by level and key: comma, line break, indent, key and colon. */
  readonly #leads: Map<string, string>[] = [];
  #text = '';
  #pieces: string[] = [];

  /** @param indent number of spaces per level; 0 writes one line without spaces */
  constructor(indent: number, options: JsonOptions = {}) {
    this.#indent = indent;
    this.#onNonFinite = options.onNonFinite;
    this.#isAiperf = options.layout === 'aiperf';
    this.#sortKeys = options.sortKeys ?? false;
  }

  /** Returns the JSON text of a value. */
  stringify(value: unknown, shape: Shape = any): string {
    this.#writeValue(value, shape, 0);
    return this.#takeText();
  }

  /**
   * Yields the text in pieces, at least one for each member and item of the first `depth` levels. On these
   * levels, an iterable of entries is written as an object and an iterable of items as an array; both are
   * consumed as they are written.
   */
  *stream(value: object, shape: Shape, depth: number, level = 0): Generator<string> {
    let isOpen = false;
    const valueShape = resolveShape(shape, value);
    for (const [key, item, itemShape] of listMembers(value, valueShape, this.#sortKeys)) {
      if (!this.#isMember(key, item) || this.#isOmitted(key, valueShape)) continue;
      this.#path.push(key);
      this.#text += isOpen
        ? this.#formatLead(key, level + 1)
        : `{${this.#formatLead(key, level + 1).slice(1)}`;
      isOpen = true;
      if (depth > 1 && isContainer(item)) yield* this.#streamContainer(item, itemShape, depth - 1, level + 1);
      else this.#writeValue(item, itemShape, level + 1);
      this.#path.pop();
      yield this.#takeText();
    }
    this.#text += isOpen ? `${this.#formatLineBreak(level)}}` : '{}';
    yield this.#takeText();
  }

  #streamContainer(value: object, shape: Shape, depth: number, level: number): Generator<string> {
    // Values of users can have other types than their shape.
    const isList = Array.isArray(value) || (shape.kind === 'array' && Symbol.iterator in value);
    if (!isList) return this.stream(value, shape, depth, level);
    return this.#streamItems(value as Iterable<unknown>, shape.kind === 'array' ? shape.items : any, level);
  }

  *#streamItems(items: Iterable<unknown>, shape: Shape, level: number): Generator<string> {
    let count = 0;
    for (const item of items) {
      this.#path.push(count);
      this.#text += (count++ > 0 ? ',' : '[') + this.#formatLineBreak(level + 1);
      this.#writeValue(item, shape, level + 1);
      this.#path.pop();
      yield this.#takeText();
    }
    this.#text += count > 0 ? `${this.#formatLineBreak(level)}]` : '[]';
  }

  /** Returns the text written since the last call. */
  #takeText(): string {
    const text = this.#pieces.length > 0 ? this.#pieces.join('') + this.#text : this.#text;
    this.#pieces = [];
    this.#text = '';
    return text;
  }

  #writeValue(value: unknown, shape: Shape, level: number): void {
    if (typeof value === 'number') this.#text += this.#formatNumber(value, shape);
    else if (typeof value === 'string') this.#text += JSON.stringify(value);
    else if (typeof value === 'object' && value !== null) this.#writeContainer(value, shape, level);
    else this.#text += String(isSerializable(value) ? value : null);
  }

  /**
   * Formats a number. A non-finite array item, such as an open percentile bound, becomes null to keep the
   * positions.
   */
  #formatNumber(value: number, shape: Shape): string {
    if (!Number.isFinite(value)) return 'null';
    return shape.kind === 'float' ? formatFloat(value) : String(value);
  }

  #writeContainer(value: object, shape: Shape, level: number): void {
    // The limit is the same as in the parser. It also detects circular references.
    if (level >= MAX_NESTING_DEPTH)
      throw new RangeError(`cannot write JSON: nested more than ${MAX_NESTING_DEPTH} levels deep`);
    if (Array.isArray(value)) this.#writeArray(value, shape, level);
    else this.#writeObject(value as Record<string, unknown>, resolveShape(shape, value), level);
    if (this.#text.length > PIECE_LENGTH) {
      this.#pieces.push(this.#text);
      this.#text = '';
    }
  }

  #writeArray(items: readonly unknown[], shape: Shape, level: number): void {
    if (items.length === 0) {
      this.#text += '[]';
      return;
    }
    const itemShape = getItemShape(shape);
    const line = this.#formatLineBreak(level + 1);
    for (let i = 0; i < items.length; i++) {
      this.#path.push(i);
      this.#text += (i ? ',' : '[') + line;
      this.#writeValue(items[i], itemShape, level + 1);
      this.#path.pop();
    }
    this.#text += `${this.#formatLineBreak(level)}]`;
  }

  #writeObject(values: Record<string, unknown>, shape: Shape, level: number): void {
    let isOpen = false;
    const write = (key: string, value: unknown, valueShape: Shape): void => {
      if (!this.#isMember(key, value) || this.#isOmitted(key, shape)) return;
      const lead = this.#formatLead(key, level + 1);
      this.#text += isOpen ? lead : `{${lead.slice(1)}`;
      isOpen = true;
      this.#path.push(key);
      this.#writeValue(value, valueShape, level + 1);
      this.#path.pop();
    };
    visitMembers(values, shape, write, this.#sortKeys);
    this.#text += isOpen ? `${this.#formatLineBreak(level)}}` : '{}';
  }

  /** Reports whether a member is written, and reports a number that is not finite. */
  #isMember(key: string, value: unknown): boolean {
    if (typeof value !== 'number') return isSerializable(value);
    if (!Number.isFinite(value)) this.#onNonFinite?.([...this.#path, key], value);
    return Number.isFinite(value);
  }

  /** Reports whether a member is omitted, because AIPerf does not have it. */
  #isOmitted(key: string, shape: Shape): boolean {
    return this.#isAiperf && shape.kind === 'object' && shape.additions?.has(key) === true;
  }

  /** Formats the text before a value. */
  #formatLead(key: string, level: number): string {
    this.#leads[level] ??= new Map();
    let lead = this.#leads[level].get(key);
    if (lead === undefined) {
      lead = `,${this.#formatLineBreak(level)}${JSON.stringify(key)}:${this.#indent ? ' ' : ''}`;
      if (this.#leads[level].size < 4096) this.#leads[level].set(key, lead);
    }
    return lead;
  }

  #formatLineBreak(level: number): string {
    return this.#indent ? `\n${' '.repeat(level * this.#indent)}` : '';
  }
}

/**
 * Converts a value to JSON with exact integers. Unlike JSON.stringify, it accepts bigints.
 *
 * @param indent number of spaces per level; 0 writes one line without spaces
 */
export function stringifyJson(value: unknown, indent = 0): string {
  return new JsonWriter(indent).stringify(value);
}

function getItemShape(shape: Shape): Shape {
  if (shape.kind === 'array') return shape.items;
  return shape.kind === 'float' ? shape : any;
}

/** Reports whether JSON can represent a value, which excludes undefined, functions and symbols. */
function isSerializable(value: unknown): boolean {
  return value !== undefined && typeof value !== 'function' && typeof value !== 'symbol';
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

type Visit = (key: string, value: unknown, shape: Shape) => void;

/** Visits the members of an object in the order of its shape, or by key. */
function visitMembers(values: Record<string, unknown>, shape: Shape, visit: Visit, sortKeys: boolean): void {
  if (sortKeys) {
    for (const key of Object.keys(values).sort())
      visit(key, values[key], findMemberShape(shape, key, values[key]) ?? any);
    return;
  }
  if (shape.kind === 'object') {
    visitKnownMembers(values, shape, visit);
    return;
  }
  const valueShape = shape.kind === 'numericMap' || shape.kind === 'map' ? shape.values : any;
  const keys = shape.kind === 'numericMap' ? sortNumericKeys(values) : Object.keys(values);
  for (const key of keys) visit(key, values[key], valueShape);
}

function visitKnownMembers(values: Record<string, unknown>, shape: ObjectShape, visit: Visit): void {
  let otherKeys: string[] | undefined = Object.keys(values).filter(key => !shape.fields.has(key));
  const visitOthers = (): void => {
    for (const key of otherKeys ?? [])
      visit(key, values[key], findMemberShape(shape, key, values[key]) ?? any);
    otherKeys = undefined;
  };
  for (const [key, field] of shape.fields) {
    if (Object.hasOwn(values, key)) visit(key, values[key], field);
    if (key === shape.rest?.after) visitOthers();
  }
  visitOthers();
}

type Member = readonly [key: string, value: unknown, shape: Shape];

/** Lists the members of an object or of an iterable of entries. */
function listMembers(object: object, shape: Shape, sortKeys: boolean): Iterable<Member> {
  if (Symbol.iterator in object) return iterateEntries(object as Iterable<readonly [string, unknown]>, shape);
  const members: Member[] = [];
  const values = object as Record<string, unknown>;
  visitMembers(values, shape, (...member) => members.push(member), sortKeys);
  return members;
}

function* iterateEntries(entries: Iterable<readonly [string, unknown]>, shape: Shape): Generator<Member> {
  for (const [key, value] of entries) yield [key, value, shape.kind === 'map' ? shape.values : any];
}

/**
 * Formats a float as Python does, always with a fraction or an exponent, so that tools that infer column
 * types never infer an integer. Uses the shortest digits that parse to the same double.
 */
export function formatFloat(value: number): string {
  const text = String(value);
  return Number.isInteger(value) && !text.includes('e') ? `${text}.0` : text;
}
