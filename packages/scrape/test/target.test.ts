import { describe, expect, test } from 'vitest';
import {
  hidePassword,
  metricsTarget,
  prometheusFallback,
  serverTarget,
  TargetError,
  uniqueTargets,
} from '../src/target.ts';

describe('--server-metrics tokens (reference A4)', () => {
  test.each([
    ['localhost:8081', 'http://localhost:8081/metrics'],
    ['http://h:8081', 'http://h:8081/metrics'],
    ['http://h:8081/', 'http://h:8081/metrics'],
    ['http://h:8081/metrics', 'http://h:8081/metrics'],
    ['http://h:8081/metrics/', 'http://h:8081/metrics'],
    ['https://h/custom', 'https://h/custom/metrics'],
    ['http://h:8000/v1/chat/completions', 'http://h:8000/v1/chat/completions/metrics'],
    ['HTTP://H:8000', 'http://h:8000/metrics'],
    ['[::1]:8000', 'http://[::1]:8000/metrics'],
    ['http://h:9/metrics?name[]=up', 'http://h:9/metrics?name[]=up'],
    [' localhost:1 ', 'http://localhost:1/metrics'],
  ])('%s', (token, url) => {
    expect(metricsTarget(token).url).toBe(url);
  });

  test.each(['myhost', '', '  ', 'ftp://h:1', 'h:99999', 'two words:1', 'http://', ':8000'])(
    '%j is none',
    token => {
      expect(() => metricsTarget(token)).toThrow(TargetError);
      expect(() => metricsTarget(token)).toThrow(/expected host:port or http/);
    },
  );

  test('credentials leave the URL', () => {
    const target = metricsTarget('http://me:s%40cret@h:1');
    expect(target).toMatchObject({
      url: 'http://h:1/metrics',
      credentials: { user: 'me', password: 's@cret' },
    });
    expect(() => metricsTarget('ftp://me:secret@h:1')).toThrow(/^((?!secret).)*$/);
  });
});

describe('--url bases', () => {
  test.each([
    ['localhost:8000', 'http://localhost:8000/metrics', []],
    ['http://h:8000/', 'http://h:8000/metrics', []],
    ['http://h:8000/v1', 'http://h:8000/v1/metrics', ['http://h:8000/metrics']],
    ['myhost', 'http://myhost/metrics', []],
  ])('%s', (base, url, alternatives) => {
    expect(serverTarget(base)).toMatchObject({ url, alternatives });
  });
});

test('a URL named twice is scraped once, in the first place', () => {
  const targets = uniqueTargets([
    serverTarget('h:1'),
    metricsTarget('g:2'),
    metricsTarget('http://h:1/metrics'),
  ]);
  expect(targets.map(({ url }) => url)).toEqual(['http://h:1/metrics', 'http://g:2/metrics']);
});

test.each([
  ['http://h/metrics', 'http://h/prometheus/metrics'],
  ['http://h/v1/metrics', 'http://h/v1/prometheus/metrics'],
  ['http://h/api/metrics', 'http://h/api/prometheus/metrics'],
  ['http://h/prometheus/metrics', undefined],
  ['http://h/stats', undefined],
  ['http://h/telemetry', undefined],
])('the fallback of %s (seed 002)', (url, fallback) => {
  expect(prometheusFallback(url)).toBe(fallback);
});

test.each([
  ['http://u:p@h/x', 'http://h/x'],
  ['u:p@h:1', 'h:1'],
  ['http://h/x@y', 'http://h/x@y'],
  ['--flag', '--flag'],
])('shown without a password: %s', (text, shown) => {
  expect(hidePassword(text)).toBe(shown);
});
