import { expect, test } from 'vitest';
import { createFailure, toFailure } from '../src/failure.ts';

function createSystemError(code: string, message = code): Error {
  return Object.assign(new Error(message), { code });
}

test.each([
  [createSystemError('ECONNREFUSED'), 'ConnectionRefused', 'ECONNREFUSED'],
  [createSystemError('ENOTFOUND'), 'UnknownHost', 'ENOTFOUND'],
  [createSystemError('UND_ERR_CONNECT_TIMEOUT'), 'ConnectTimeout', 'UND_ERR_CONNECT_TIMEOUT'],
  [
    createSystemError('UND_ERR_SOCKET', 'other side closed'),
    'ConnectionReset',
    'other side closed (UND_ERR_SOCKET)',
  ],
  [createSystemError('UND_ERR_SOCKET', 'bad response'), 'InvalidResponse', undefined],
  [
    createSystemError('DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate'),
    'TlsError',
    'self-signed certificate (DEPTH_ZERO_SELF_SIGNED_CERT)',
  ],
  [createSystemError('INVALID_CA', ''), 'TlsError', 'INVALID_CA'],
  [createSystemError('EPROTO'), 'TlsError', 'EPROTO'],
  [
    Object.assign(createSystemError('HPE_INVALID_CONSTANT'), { name: 'HTTPParserError' }),
    'InvalidResponse',
    undefined,
  ],
  [new Error('outer', { cause: createSystemError('EPIPE') }), 'ConnectionReset', 'EPIPE'],
  [
    new AggregateError([createSystemError('ECONNREFUSED'), createSystemError('EHOSTUNREACH')]),
    'ConnectionRefused',
    'ECONNREFUSED',
  ],
  [new Error('unexpected'), 'Other', undefined],
  ['a string', 'Other', undefined],
])('converts %s to %s, with the system error code in the message', (error, type, message) => {
  const failure = toFailure(error);
  expect(failure).toMatchObject({ type, ...(message ? { message } : {}) });
  // AIPerf's readers expect a number.
  expect(failure.code).toBeUndefined();
});

test('truncates long messages', () => {
  expect(createFailure('Other', 'x'.repeat(10_000)).message).toHaveLength(4096);
});
