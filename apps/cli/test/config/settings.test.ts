import { expect, test } from 'vitest';
import { type AccessSettings, layered } from '../../src/config/settings.ts';

test.each<[string, AccessSettings, AccessSettings, AccessSettings]>([
  [
    'numbers and switches: the upper one',
    { timeout: 1, interval: 2, compressed: true },
    { timeout: 3, compressed: false },
    { timeout: 3, interval: 2, compressed: false },
  ],
  [
    'limits: each by itself',
    { limits: { samples: 1, labels: 2 } },
    { limits: { samples: 3 } },
    { limits: { samples: 3, labels: 2 } },
  ],
  [
    'headers: by name, in any case',
    { headers: { A: '1', B: '2' } },
    { headers: { a: '3', C: '4' } },
    { headers: { B: '2', a: '3', C: '4' } },
  ],
  [
    'authorization: one way, the upper one',
    { bearer_token: 'x', timeout: 1 },
    { basic_auth_file: '/f' },
    { timeout: 1, basic_auth_file: '/f' },
  ],
  [
    'authorization: a header takes the place of it, too',
    { bearer_token: 'x', headers: { A: '1' } },
    { headers: { authorization: 'Bearer y' } },
    { headers: { A: '1', authorization: 'Bearer y' } },
  ],
  [
    'authorization: the lower one where the upper says nothing',
    { basic_auth: { username: 'me' } },
    { timeout: 1 },
    { basic_auth: { username: 'me' }, timeout: 1 },
  ],
  [
    'TLS: our certificate goes with its key',
    { tls: { ca_file: '/ca', cert_file: '/c', key_file: '/k' } },
    { tls: { cert_file: '/c2', key_file: '/k2' } },
    { tls: { ca_file: '/ca', cert_file: '/c2', key_file: '/k2' } },
  ],
  [
    'TLS: each other setting by itself',
    { tls: { ca_file: '/ca', cert_file: '/c', key_file: '/k' } },
    { tls: { insecure: true } },
    { tls: { ca_file: '/ca', cert_file: '/c', key_file: '/k', insecure: true } },
  ],
])('%s', (_, lower, upper, both) => {
  expect(layered(lower, upper)).toEqual(both);
});
