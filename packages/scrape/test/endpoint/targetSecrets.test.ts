import { describe, expect, test } from 'vitest';
import { createBearerAuthorization } from '../../src/credentials/authorization.ts';
import { Endpoint } from '../../src/endpoint/endpoint.ts';
import type { EndpointEvent } from '../../src/endpoint/eventReporter.ts';
import type { UrlFetcher } from '../../src/endpoint/pageScraper.ts';
import { parseMetricsTarget, type Target } from '../../src/endpoint/target.ts';
import { TargetSecrets } from '../../src/endpoint/targetSecrets.ts';

const BASIC = Buffer.from('me:s3cret/pass"word').toString('base64');
const URL_TARGET = parseMetricsTarget('http://me:s3cret%2Fpass%22word@h:1/metrics?api_key=qu3ry-key');
const TARGET: Target = {
  ...parseMetricsTarget('http://h:1'),
  access: {
    headers: { 'X-Api-Key': 'header-api-key-1', 'X-Tenant': 'Scheme t3nant-of-many-years' },
    authorization: createBearerAuthorization('bear3r-token-of-ours'),
  },
};

test.each([
  [URL_TARGET, 'it says s3cret/pass"word', 'it says <redacted>'],
  [URL_TARGET, 'it says s3cret%2Fpass%22word', 'it says <redacted>'],
  [URL_TARGET, 'it says "s3cret/pass\\"word"', 'it says "<redacted>"'],
  [URL_TARGET, `it says Basic ${BASIC}`, 'it says Basic <redacted>'],
  [URL_TARGET, 'it says qu3ry-key', 'it says <redacted>'],
  [TARGET, 'Bearer bear3r-token-of-ours, header-api-key-1', 'Bearer <redacted>, <redacted>'],
  [TARGET, 'Scheme t3nant-of-many-years or t3nant-of-many-years', '<redacted> or <redacted>'],
  [TARGET, 'line 1: "Authorization: Bearer bear3r-tok…"', 'line 1: "Authorization: Bearer <redacted>…"'],
  [TARGET, 'refused the connection', 'refused the connection'],
  [
    parseMetricsTarget('http://me:a@h:1'),
    'a password of one letter does not garble messages',
    'a password of one letter does not garble messages',
  ],
])('redacts the secrets in message %#', (target, message, redacted) => {
  expect(new TargetSecrets(target as Target).redactText(message as string)).toBe(redacted);
});

test('masks long credentials in a body and nothing else', () => {
  const text = 'i{a="bear3r-token-of-ours",b="header-api-key-1",c="Scheme t3nant-of-many-years"} 1\n';
  const body = Buffer.from(text);
  new TargetSecrets(TARGET).maskBody(body);
  const toStars = (secret: string): string => '*'.repeat(secret.length);
  expect(body.toString()).toBe(
    text
      .replace('bear3r-token-of-ours', toStars('bear3r-token-of-ours'))
      .replace('header-api-key-1', toStars('header-api-key-1')),
  );
});

// A secret is masked if it has at least 16 characters, or at least 8 characters of at least two kinds (letters,
// digits, other characters).
test.each([
  ['s3cr3t-w', true],
  ['s3cr3t-', false],
  ['password', false],
  ['correcthorsebatt', true],
])('masks the token %s in a body: %j', (token, isMasked) => {
  const body = Buffer.from(`i{a="${token}"} 1\n`);
  new TargetSecrets({ ...TARGET, access: { authorization: createBearerAuthorization(token) } }).maskBody(
    body,
  );
  expect(body.includes(token)).toBe(!isMasked);
});

describe('a secret that a server echoes', () => {
  const responses: [string, string, string][] = [
    [
      'in a body that is not in Prometheus format',
      'Authorization: Bearer bear3r-token-of-ours\n',
      'text/plain',
    ],
    ['in the middle of a long line', `${'x'.repeat(185)} bear3r-token-of-ours\n`, 'text/plain'],
    ['in a label', 'a{auth="Bearer bear3r-token-of-ours"} 1\nb header-api-key-1\n', 'text/plain'],
  ];
  test.each(responses)('is not shown %s', async (_, text, contentType) => {
    const events: EndpointEvent[] = [];
    const bodies = ['a 1\n', text];
    const fetcher: UrlFetcher = {
      async fetch(url) {
        const body = Buffer.from(bodies.shift()!);
        return {
          url,
          sentNs: 1n,
          firstByteNs: 2n,
          durationMs: 1,
          status: 200,
          encodedBytes: 1,
          contentType,
          body,
        };
      },
      async close() {},
    };
    const endpoint = new Endpoint({ target: TARGET, fetcher, onEvent: event => events.push(event) });
    await endpoint.scrape();
    const { failure } = await endpoint.scrape();
    const { series } = endpoint.layout;
    const shown = JSON.stringify(
      [failure?.message, events, endpoint.health.outages, series],
      (_key, value) => (typeof value === 'bigint' ? String(value) : value),
    );
    expect(shown).not.toMatch(/bear3r-t|header-api/);
  });
});
