import { isTlsErrorCode } from '@org/core';

/** The kind of a request's failure. These names are written to exports. */
export type FailureType =
  | 'HttpError'
  | 'StreamError'
  | 'TruncatedStream'
  | 'InvalidResponse'
  | 'UnexpectedContentType'
  | 'EmptyResponse'
  | 'Redirect'
  | 'ConnectionRefused'
  | 'UnknownHost'
  | 'Unreachable'
  | 'ConnectTimeout'
  | 'RequestTimeout'
  | 'ConnectionReset'
  | 'TlsError'
  | 'TooLarge'
  | 'ContentEncoding'
  | 'RequestCancellationError'
  | 'Interrupted'
  | 'Other';

/** The reason why a request failed. */
export interface Failure {
  readonly type: FailureType;
  /** HTTP status, 499 for a cancelled request, or the number that the server reported as the error's code. */
  readonly code?: number;
  /**
   * Failure message, up to 4096 characters, with the system's error code (`ECONNREFUSED`) if there is one. Text
   * from the server is not redacted.
   */
  readonly message: string;
}

/** Maximum length of a failure message, in characters. */
const MAX_MESSAGE_CHARACTERS = 4096;

const TYPES_BY_CODE: Readonly<Record<string, FailureType>> = {
  ECONNREFUSED: 'ConnectionRefused',
  ENOTFOUND: 'UnknownHost',
  EAI_AGAIN: 'UnknownHost',
  EHOSTUNREACH: 'Unreachable',
  ENETUNREACH: 'Unreachable',
  ETIMEDOUT: 'ConnectTimeout',
  UND_ERR_CONNECT_TIMEOUT: 'ConnectTimeout',
  ECONNRESET: 'ConnectionReset',
  EPIPE: 'ConnectionReset',
  UND_ERR_SOCKET: 'ConnectionReset',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'ConnectionReset',
};

/** Creates a failure, truncating its message to 4096 characters. */
export function createFailure(type: FailureType, message: string, code?: number): Failure {
  const truncated =
    message.length > MAX_MESSAGE_CHARACTERS ? `${message.slice(0, MAX_MESSAGE_CHARACTERS - 1)}…` : message;
  return { type, ...(code === undefined ? {} : { code }), message: truncated };
}

/** Converts an error of the HTTP layer to a failure. */
export function toFailure(error: unknown): Failure {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    // Connecting fails with one error per address of the host; report the first.
    if (cause instanceof AggregateError && cause.errors.length > 0) return toFailure(cause.errors[0]);
    const code = String((cause as NodeJS.ErrnoException).code ?? '');
    // undici closes the connection itself after an unexpected 1xx response.
    if (code === 'UND_ERR_SOCKET' && /^bad (?:response|upgrade)$/.test(cause.message))
      return createFailure('InvalidResponse', 'unexpected HTTP status 100 or 101');
    const type = cause.name === 'HTTPParserError' ? 'InvalidResponse' : findType(code);
    if (type) return createFailure(type, addCode(cause.message, code));
  }
  const message = error instanceof Error ? error.message : String(error);
  return createFailure(/closed|terminated/i.test(message) ? 'ConnectionReset' : 'Other', message);
}

/** Adds a system's error code to a message that does not contain it. */
function addCode(message: string, code: string): string {
  if (code === '' || message.includes(code)) return message;
  return message === '' ? code : `${message} (${code})`;
}

function findType(code: string): FailureType | undefined {
  if (Object.hasOwn(TYPES_BY_CODE, code)) return TYPES_BY_CODE[code];
  return isTlsErrorCode(code) ? 'TlsError' : undefined;
}
