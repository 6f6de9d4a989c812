import { describe, expect, test } from 'vitest';
import { createStatusError, FetchError, toFailure } from '../../src/http/failure.ts';

const withCode = (code: string, message = 'x'): Error => Object.assign(new Error(message), { code });

describe('toFailure', () => {
  test.each<[Error, string, string]>([
    [withCode('ECONNREFUSED'), 'refused', 'refused the connection'],
    [withCode('ENOTFOUND'), 'unknown_host', 'has a host name that cannot be resolved'],
    [withCode('EHOSTUNREACH'), 'unreachable', 'is unreachable: no route to host'],
    [withCode('ECONNRESET'), 'connection_closed', 'reset the connection'],
    [withCode('UND_ERR_ABORTED'), 'stopped', 'was still being read when collection stopped'],
    [
      withCode('UND_ERR_SOCKET', 'bad upgrade'),
      'http_status',
      'responded with unexpected HTTP status 100 or 101',
    ],
    [
      withCode('ERR_SSL_WRONG_VERSION_NUMBER', 'wrong version'),
      'tls',
      'failed the TLS handshake: wrong version',
    ],
    [new DOMException('aborted', 'AbortError'), 'stopped', 'was still being read when collection stopped'],
    [
      new Error('other side closed'),
      'connection_closed',
      'closed the connection before the response was complete',
    ],
    [withCode('toString', 'odd'), 'other', 'failed: odd'],
    [new FetchError('redirect', 'redirects to an invalid URL'), 'redirect', 'redirects to an invalid URL'],
  ])('classifies %s as %s', (error, reason, message) => {
    expect(toFailure(error)).toEqual({ reason, message, cause: error });
  });

  test('classifies an error by the first known error code of its cause chain', () => {
    const error = new Error('fetch failed', { cause: new Error('inner', { cause: withCode('EPIPE') }) });
    expect(toFailure(error)).toEqual({
      reason: 'connection_closed',
      message: 'closed the connection',
      cause: error,
    });
  });

  test('reports a timeout regardless of the error', () => {
    expect(toFailure(withCode('ECONNRESET'), 1500)).toMatchObject({
      reason: 'timeout',
      message: 'did not send a complete response within 1.5 s',
    });
  });

  test('truncates unknown messages', () => {
    expect(toFailure('x'.repeat(1000)).message).toBe(`failed: ${'x'.repeat(200)}`);
  });
});

test.each([
  [401, false, 'unauthorized', /pass credentials with --bearer-token-file/],
  [401, true, 'unauthorized', /the credentials were rejected$/],
  [403, false, 'forbidden', /pass credentials/],
  [404, true, 'not_found', /^responded with HTTP status 404; expected 200$/],
  [503, false, 'server_error', /^responded with HTTP status 503; expected 200$/],
  [418, false, 'http_status', /^responded with HTTP status 418; expected 200$/],
])('describes status %i with credentials %j', (status, hasCredentials, reason, message) => {
  expect(createStatusError(status, hasCredentials)).toMatchObject({
    reason,
    message: expect.stringMatching(message),
  });
});
