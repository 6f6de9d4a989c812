import { expect, test } from 'vitest';
import { isTlsErrorCode } from '../src/tlsErrorCode.ts';

test.each([
  ['DEPTH_ZERO_SELF_SIGNED_CERT', true],
  ['CERT_HAS_EXPIRED', true],
  ['CRL_HAS_EXPIRED', true],
  ['INVALID_CA', true],
  ['HOSTNAME_MISMATCH', true],
  ['ERR_TLS_CERT_ALTNAME_INVALID', true],
  ['ERR_SSL_WRONG_VERSION_NUMBER', true],
  ['EPROTO', true],
  ['ECONNRESET', false],
  ['UND_ERR_SOCKET', false],
  ['', false],
])('the code %j is about TLS: %j', (code, expected) => {
  expect(isTlsErrorCode(code)).toBe(expected);
});
