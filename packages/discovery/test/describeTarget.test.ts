import { parseMetricsTarget } from '@org/scrape';
import { expect, test } from 'vitest';
import type { AccessSettings } from '../src/accessSettings.ts';
import { describeTarget } from '../src/describeTarget.ts';

const DEFAULTS = { intervalMs: 333, timeoutMs: 10_000 };

/** Returns the description of an endpoint, with its values by name. */
function describeRows(url: string, settings: AccessSettings): Record<string, string> {
  const [, ...rows] = describeTarget(parseMetricsTarget(url), settings, DEFAULTS);
  return Object.fromEntries(rows.map(row => [row.slice(2, 16).trim(), row.slice(17)]));
}

test('describes the defaults', () => {
  expect(describeTarget(parseMetricsTarget('node1:8000'), {}, DEFAULTS)).toEqual([
    'http://node1:8000/metrics',
    '  interval       0.333 s',
    '  timeout        10 s',
    '  authorization  none',
    '  tls            none',
  ]);
});

test.each<[string, AccessSettings, object]>([
  ['h:1', { interval: 1, timeout: 2.5 }, { interval: '1 s', timeout: '2.5 s' }],
  ['h:1', { headers: { Cookie: 's3cret' } }, { header: 'Cookie: <hidden>' }],
  ['h:1', { bearer_token: 's3cret' }, { authorization: 'bearer, token <hidden>' }],
  ['h:1', { bearer_token_file: '/f' }, { authorization: 'bearer, token from /f' }],
  ['h:1', { basic_auth_file: '/f' }, { authorization: 'basic, from /f' }],
  [
    'h:1',
    { basic_auth: { username: 'me', password: 's3cret' } },
    { authorization: 'basic, user "me", password <hidden>' },
  ],
  [
    'h:1',
    { basic_auth: { username: 'me', password_file: '/f' } },
    { authorization: 'basic, user "me", password from /f' },
  ],
  ['http://me:s3cret@h:1', {}, { authorization: 'basic, user "me", password <hidden>, from the URL' }],
  ['https://h', {}, { tls: 'default' }],
  [
    'https://h',
    { tls: { insecure: true, ca_file: '/ca', cert_file: '/c', key_file: '/k' } },
    {
      tls: 'certificate verification skipped; additional CA certificates from /ca; client certificate /c, key /k',
    },
  ],
  [
    'h:1',
    { tls: { insecure: true } },
    { tls: 'none, because the URL is http:// (certificate verification skipped)' },
  ],
  ['h:1', { compressed: true, limits: { samples: 5 } }, { compressed: 'yes', limit: 'samples 5' }],
])('describes %s with %j', (url, settings, expected) => {
  const rows = describeRows(url, settings);
  expect(rows).toMatchObject(expected);
  expect(JSON.stringify(rows)).not.toContain('s3cret');
});
