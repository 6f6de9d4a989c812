import { expect, test } from 'vitest';
import {
  type AccessSettings,
  describeHeaderProblem,
  hasAuthorization,
  mergeSettings,
} from '../src/accessSettings.ts';

test.each<[string, AccessSettings, AccessSettings, AccessSettings]>([
  [
    'numbers and flags',
    { timeout: 1, interval: 2, compressed: true },
    { timeout: 3, compressed: false },
    { timeout: 3, interval: 2, compressed: false },
  ],
  [
    'limits one by one',
    { limits: { samples: 1, labels: 2 } },
    { limits: { samples: 3 } },
    { limits: { samples: 3, labels: 2 } },
  ],
  [
    'headers by name, ignoring case',
    { headers: { A: '1', B: '2' } },
    { headers: { a: '3', C: '4' } },
    { headers: { B: '2', a: '3', C: '4' } },
  ],
  [
    'authorization as a unit',
    { bearer_token: 'x', timeout: 1 },
    { basic_auth_file: '/f' },
    { timeout: 1, basic_auth_file: '/f' },
  ],
  [
    'an Authorization header, which replaces the lower authorization',
    { bearer_token: 'x', headers: { A: '1' } },
    { headers: { authorization: 'Bearer y' } },
    { headers: { A: '1', authorization: 'Bearer y' } },
  ],
  [
    'the lower authorization if the upper settings have none',
    { basic_auth: { username: 'me' } },
    { timeout: 1 },
    { basic_auth: { username: 'me' }, timeout: 1 },
  ],
  [
    'a TLS certificate together with its key',
    { tls: { ca_file: '/ca', cert_file: '/c', key_file: '/k' } },
    { tls: { cert_file: '/c2', key_file: '/k2' } },
    { tls: { ca_file: '/ca', cert_file: '/c2', key_file: '/k2' } },
  ],
  [
    'other TLS settings one by one',
    { tls: { ca_file: '/ca', cert_file: '/c', key_file: '/k' } },
    { tls: { insecure: true } },
    { tls: { ca_file: '/ca', cert_file: '/c', key_file: '/k', insecure: true } },
  ],
])('merges %s', (_, lower, upper, expected) => {
  expect(mergeSettings(lower, upper)).toEqual(expected);
});

test.each<[AccessSettings, boolean]>([
  [{ bearer_token_file: '/f' }, true],
  [{ basic_auth: { username: 'me' } }, true],
  [{ headers: { AUTHORIZATION: 'x' } }, true],
  [{ headers: { 'X-Auth': 'x' }, timeout: 1 }, false],
])('hasAuthorization(%j) is %s', (settings, expected) => {
  expect(hasAuthorization(settings)).toBe(expected);
});

test.each([
  ['Expect', /^is Expect, which is set by the HTTP client; expected a header other than content-length, /],
  ['transfer-encoding', /^is transfer-encoding, /],
  ['X-Tenant', undefined],
])('describeHeaderProblem(%j) is %s', (name, expected) => {
  if (expected) expect(describeHeaderProblem(name)).toMatch(expected);
  else expect(describeHeaderProblem(name)).toBeUndefined();
});
