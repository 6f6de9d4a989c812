import { RunError } from '@org/analysis';

/** SQL that DuckDB does not accept, in DuckDB's own words, which point at the place. */
export class QueryError extends RunError {
  override readonly name = 'QueryError';
}

const MISTAKES =
  /^(?:Parser|Binder|Catalog|Conversion|Invalid Input|Not implemented|Out of Range|IO|Constraint|Interrupt|Permission|Dependency|Syntax|INTERRUPT|Out of Memory|HTTP)\b.*Error/i;

/** An error of DuckDB as one that users see without a stack trace; others as they are. */
export function toQueryError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof RunError) return error;
  const message = error.message.replace(/^Failed to extract statements: /, '');
  return MISTAKES.test(message) ? new QueryError(message) : error;
}
