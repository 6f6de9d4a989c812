/** Returns its argument, so that a subclass adds private fields to any object. */
class AnyObject {
  constructor(object: object) {
    // biome-ignore lint/correctness/noConstructorReturn: this is the purpose of the class
    return object;
  }
}

/** Creates the value of a field of an object, which is a row of a table. */
export type ReadNested = (key: string, row: number) => unknown;

/** The row that an object was created from: private fields of the object, which are not visible to other code. */
class Row extends AnyObject {
  readonly #read: ReadNested;
  readonly #row: number;

  constructor(object: object, read: ReadNested, row: number) {
    super(object);
    this.#read = read;
    this.#row = row;
  }

  static read(object: object, key: string): unknown {
    return (object as Row).#read(key, (object as Row).#row);
  }
}

/**
 * Defines fields of objects whose values are created each time that they are read, such as the buckets of timeslices, which
 * need more memory than all other fields, but are rarely read.
 */
export class NestedFields {
  /** The properties by key. Objects with the same getters share their layout in V8. */
  readonly #properties = new Map<string, PropertyDescriptor>();

  /** Connects an object to its row, once, before fields are defined. */
  connect(object: object, read: ReadNested, row: number): void {
    new Row(object, read, row);
  }

  define(object: object, key: string): void {
    let property = this.#properties.get(key);
    if (!property) {
      property = { enumerable: true, configurable: true, get: createGetter(key) };
      this.#properties.set(key, property);
    }
    Object.defineProperty(object, key, property);
  }
}

function createGetter(key: string): () => unknown {
  return function (this: object) {
    return Row.read(this, key);
  };
}
