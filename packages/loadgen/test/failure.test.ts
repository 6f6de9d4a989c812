import { expect, test } from 'vitest';
import { failure, failureOf } from '../src/failure.ts';

function system(code: string, message = code): Error {
  return Object.assign(new Error(message), { code });
}

test.each([
  [system('ECONNREFUSED'), 'ConnectionRefused', 'ECONNREFUSED'],
  [system('ENOTFOUND'), 'UnknownHost', 'ENOTFOUND'],
  [system('UND_ERR_CONNECT_TIMEOUT'), 'ConnectTimeout', 'UND_ERR_CONNECT_TIMEOUT'],
  [system('UND_ERR_SOCKET', 'other side closed'), 'ConnectionReset', 'UND_ERR_SOCKET'],
  [system('UND_ERR_SOCKET', 'bad response'), 'InvalidAnswer', undefined],
  [system('DEPTH_ZERO_SELF_SIGNED_CERT'), 'TlsError', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
  [Object.assign(system('HPE_INVALID_CONSTANT'), { name: 'HTTPParserError' }), 'InvalidAnswer', undefined],
  [new Error('outer', { cause: system('EPIPE') }), 'ConnectionReset', 'EPIPE'],
  [new AggregateError([system('ECONNREFUSED'), system('EHOSTUNREACH')]), 'ConnectionRefused', 'ECONNREFUSED'],
  [new Error('what is this'), 'Other', undefined],
  ['thrown text', 'Other', undefined],
])('%s is %s', (error, type, code) => {
  expect(failureOf(error)).toMatchObject({ type, ...(code ? { code } : {}) });
});

test('long messages are cut', () => {
  expect(failure('Other', 'x'.repeat(10_000)).message).toHaveLength(4096);
});
