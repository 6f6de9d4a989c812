/** An error of a generated validator: ajv's error object, with the schema and data of its place. */
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

/** A generated validator. If it returns false, `errors` contains the reasons. */
export interface SchemaValidator {
  (data: unknown): boolean;
  errors?: readonly SchemaError[] | null;
}
