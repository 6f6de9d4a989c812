/** Why a request gave no complete answer. The names stand in exports. */
export type FailureType =
  | 'HttpError'
  | 'StreamError'
  | 'UnfinishedStream'
  | 'InvalidAnswer'
  | 'UnexpectedContentType'
  | 'EmptyAnswer'
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

/** What went wrong with a request, for fields and for people. */
export interface Failure {
  readonly type: FailureType;
  /** HTTP status, 499 for a cancelled request, or the system's name of the error (`ECONNREFUSED`). */
  readonly code?: number | string;
  /** At most 4096 characters; text of the server as it came. */
  readonly message: string;
}

/** Longest message that is kept, in characters. */
const MOST_CHARACTERS = 4096;

const BY_CODE: Readonly<Record<string, FailureType>> = {
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
  EPROTO: 'TlsError',
};

/** A failure with a message of bearable length. */
export function failure(type: FailureType, message: string, code?: number | string): Failure {
  const short = message.length > MOST_CHARACTERS ? `${message.slice(0, MOST_CHARACTERS - 1)}…` : message;
  return { type, ...(code === undefined ? {} : { code }), message: short };
}

/** The failure behind an error of the HTTP layer. */
export function failureOf(error: unknown): Failure {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    // Several addresses of one host were tried: the first error tells as much as all.
    if (cause instanceof AggregateError && cause.errors.length > 0) return failureOf(cause.errors[0]);
    const code = String((cause as NodeJS.ErrnoException).code ?? '');
    // The HTTP layer ends the connection by itself there.
    if (code === 'UND_ERR_SOCKET' && /^bad (?:response|upgrade)$/.test(cause.message))
      return failure('InvalidAnswer', 'HTTP status 100 or 101, which nobody asked for');
    const type = cause.name === 'HTTPParserError' ? 'InvalidAnswer' : typeOf(code);
    if (type) return failure(type, cause.message || code, code || undefined);
  }
  const message = error instanceof Error ? error.message : String(error);
  return failure(/closed|terminated/i.test(message) ? 'ConnectionReset' : 'Other', message);
}

function typeOf(code: string): FailureType | undefined {
  if (Object.hasOwn(BY_CODE, code)) return BY_CODE[code];
  if (/^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|UNABLE_TO|SELF_SIGNED)/.test(code)) return 'TlsError';
  return undefined;
}
