import { isTlsErrorCode } from '@org/core';

/** The reason why a scrape failed. These names are written to exports. */
export type FailureReason =
  | 'refused'
  | 'unknown_host'
  | 'unreachable'
  | 'timeout'
  | 'tls_expired'
  | 'tls_wrong_host'
  | 'tls_untrusted'
  | 'tls_client_certificate'
  | 'tls_not_spoken'
  | 'tls_required'
  | 'tls'
  | 'connection_closed'
  | 'not_http'
  | 'redirect'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'server_error'
  | 'http_status'
  | 'too_large'
  | 'too_many_samples'
  | 'too_many_labels'
  | 'label_too_long'
  | 'encoding'
  | 'not_prometheus'
  | 'duplicate'
  | 'stopped'
  | 'other';

/** The reason and description of a failed scrape. */
export interface Failure {
  readonly reason: FailureReason;
  /** A predicate for messages that start with `endpoint 'URL'`, such as `refused the connection`. */
  readonly message: string;
  /** The original error, for debugging; never exported. */
  readonly cause?: unknown;
}

/** Error thrown for a response that cannot be used. */
export class FetchError extends Error {
  readonly reason: FailureReason;

  constructor(reason: FailureReason, message: string, cause?: unknown) {
    super(message, { cause });
    this.reason = reason;
  }
}

/** Reasons and messages of system and undici errors, by error code. */
const FAILURES_BY_CODE: Readonly<Record<string, readonly [FailureReason, string]>> = {
  ECONNREFUSED: ['refused', 'refused the connection'],
  ENOTFOUND: ['unknown_host', 'has a host name that cannot be resolved'],
  EAI_AGAIN: ['unknown_host', 'has a host name that cannot be resolved: the DNS server did not respond'],
  EHOSTUNREACH: ['unreachable', 'is unreachable: no route to host'],
  ENETUNREACH: ['unreachable', 'is unreachable: no route to network'],
  ECONNRESET: ['connection_closed', 'reset the connection'],
  EPIPE: ['connection_closed', 'closed the connection'],
  UND_ERR_SOCKET: ['connection_closed', 'closed the connection before the response was complete'],
  UND_ERR_CONNECT_TIMEOUT: ['timeout', 'did not accept the connection within the time limit'],
  UND_ERR_HEADERS_TIMEOUT: ['timeout', 'did not respond within the time limit'],
  UND_ERR_BODY_TIMEOUT: ['timeout', 'stopped sending in the middle of the body'],
  UND_ERR_DESTROYED: ['stopped', 'was still being read when collection stopped'],
  UND_ERR_CLOSED: ['stopped', 'was still being read when collection stopped'],
  UND_ERR_ABORTED: ['stopped', 'was still being read when collection stopped'],
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: [
    'connection_closed',
    'sent a body that does not match its Content-Length',
  ],
  UND_ERR_HEADERS_OVERFLOW: ['not_http', 'sent headers of more than 16 KiB'],
  ETIMEDOUT: ['timeout', 'did not accept the connection within the operating system time limit'],
};

/**
 * Converts an error of an exchange to a failure. If `timeoutMs` is set, the exchange was aborted because this
 * time limit expired.
 */
export function toFailure(error: unknown, timeoutMs?: number): Failure {
  if (timeoutMs !== undefined) {
    return {
      reason: 'timeout',
      message: `did not send a complete response within ${timeoutMs / 1000} s`,
      cause: error,
    };
  }
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const classified = classify(cause);
    if (classified) return { ...classified, cause: error };
  }
  const message = error instanceof Error ? error.message : String(error);
  return { reason: 'other', message: `failed: ${message.slice(0, 200)}`, cause: error };
}

/** Returns the reason and message of a single error; undefined if the error is not recognized. */
function classify(error: Error): Omit<Failure, 'cause'> | undefined {
  if (error instanceof FetchError) return { reason: error.reason, message: error.message };
  const code = String((error as NodeJS.ErrnoException).code ?? '');
  if (code === 'UND_ERR_SOCKET' && /^bad (?:response|upgrade)$/.test(error.message)) {
    // undici closes the connection on an unexpected informational response.
    return { reason: 'http_status', message: 'responded with unexpected HTTP status 100 or 101' };
  }
  const reasonAndMessage = Object.hasOwn(FAILURES_BY_CODE, code) ? FAILURES_BY_CODE[code] : undefined;
  if (reasonAndMessage) return { reason: reasonAndMessage[0], message: reasonAndMessage[1] };
  if (isTlsErrorCode(code)) return { reason: 'tls', message: `failed the TLS handshake: ${error.message}` };
  if (error.name === 'HTTPParserError')
    return { reason: 'not_http', message: 'sent a response that is not HTTP' };
  if (error.name === 'AbortError')
    return { reason: 'stopped', message: 'was still being read when collection stopped' };
  if (/terminated|other side closed|invalid response/i.test(error.message)) {
    return { reason: 'connection_closed', message: 'closed the connection before the response was complete' };
  }
  return undefined;
}

/**
 * Creates the error for an HTTP status other than 200. `hasCredentials` tells whether the request had an
 * Authorization header, which determines the advice for status 401 and 403.
 */
export function createStatusError(status: number, hasCredentials: boolean): FetchError {
  const message = `responded with HTTP status ${status}; expected 200`;
  if (status === 401 || status === 403) {
    const advice = hasCredentials
      ? 'the credentials were rejected'
      : 'pass credentials with --bearer-token-file or --basic-auth-file';
    return new FetchError(status === 401 ? 'unauthorized' : 'forbidden', `${message}: ${advice}`);
  }
  if (status === 404) return new FetchError('not_found', message);
  return new FetchError(status >= 500 ? 'server_error' : 'http_status', message);
}
