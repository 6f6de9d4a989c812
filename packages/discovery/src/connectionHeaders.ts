/**
 * Headers that the HTTP client sets itself. A request that overrides them is malformed or never completes.
 * https://www.rfc-editor.org/rfc/rfc9110#name-connection
 */
const CONNECTION_HEADERS = ['content-length', 'expect', 'keep-alive', 'transfer-encoding', 'upgrade'];

/** Describes why a header cannot be set, as the end of a sentence about it; undefined if it can. */
export function describeHeaderProblem(name: string): string | undefined {
  if (!CONNECTION_HEADERS.includes(name.toLowerCase())) return undefined;
  return `is ${name}, which is set by the HTTP client; expected a header other than ${CONNECTION_HEADERS.join(', ')}`;
}
