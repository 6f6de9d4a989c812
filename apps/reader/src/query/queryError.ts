import { RunError } from '@org/analysis';

/** An error in SQL, with DuckDB's message, which points at the position. */
export class QueryError extends RunError {
  override readonly name = 'QueryError';
}

const USER_ERRORS =
  /^(?:Parser|Binder|Catalog|Conversion|Invalid Input|Not implemented|Out of Range|IO|Constraint|Interrupt|Permission|Dependency|Syntax|INTERRUPT|Out of Memory|HTTP)\b.*Error/i;

/** Converts an error of DuckDB to one that is printed without a stack trace; returns other errors unchanged. */
export function toQueryError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof RunError) return error;
  const message = error.message.replace(/^Failed to extract statements: /, '');
  return USER_ERRORS.test(message) ? new QueryError(message) : error;
}
