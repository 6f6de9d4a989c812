import { expect, test } from 'vitest';
import { createFailure, toFailure } from '../src/failure.ts';

function systemError(code: string, message = code): Error {
  return Object.assign(new Error(message), { code });
}

test.each([
  [systemError('ECONNREFUSED'), 'ConnectionRefused', 'ECONNREFUSED'],
  [systemError('ENOTFOUND'), 'UnknownHost', 'ENOTFOUND'],
  [systemError('UND_ERR_CONNECT_TIMEOUT'), 'ConnectTimeout', 'UND_ERR_CONNECT_TIMEOUT'],
  [systemError('UND_ERR_SOCKET', 'other side closed'), 'ConnectionReset', 'UND_ERR_SOCKET'],
  [systemError('UND_ERR_SOCKET', 'bad response'), 'InvalidResponse', undefined],
  [systemError('DEPTH_ZERO_SELF_SIGNED_CERT'), 'TlsError', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
  [
    Object.assign(systemError('HPE_INVALID_CONSTANT'), { name: 'HTTPParserError' }),
    'InvalidResponse',
    undefined,
  ],
  [new Error('outer', { cause: systemError('EPIPE') }), 'ConnectionReset', 'EPIPE'],
  [
    new AggregateError([systemError('ECONNREFUSED'), systemError('EHOSTUNREACH')]),
    'ConnectionRefused',
    'ECONNREFUSED',
  ],
  [new Error('unexpected'), 'Other', undefined],
  ['a string', 'Other', undefined],
])('converts %s to %s', (error, type, code) => {
  expect(toFailure(error)).toMatchObject({ type, ...(code ? { code } : {}) });
});

test('truncates long messages', () => {
  expect(createFailure('Other', 'x'.repeat(10_000)).message).toHaveLength(4096);
});
