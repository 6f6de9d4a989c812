/** What a generated validator says about one place: ajv's error, with the schema and the data of the place. */
export interface SchemaError {
  /** JSON pointer into the document. */
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message?: string;
  /** The keyword's value in the schema. */
  readonly schema: unknown;
  /** The schema object that has the keyword. */
  readonly parentSchema: Readonly<Record<string, unknown>>;
  readonly data: unknown;
}

/** A generated validator: after it said false, `errors` says why. */
export interface SchemaValidator {
  (data: unknown): boolean;
  errors?: readonly SchemaError[] | null;
}
