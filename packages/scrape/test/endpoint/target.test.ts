import { describe, expect, test } from 'vitest';
import {
  deduplicateTargets,
  parseExactTarget,
  parseMetricsTarget,
  parseServerTarget,
  restoreQuerySecrets,
  TargetError,
  toFallbackUrl,
} from '../../src/endpoint/target.ts';

describe('parseMetricsTarget', () => {
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
    ['http://h:9901/stats/prometheus', 'http://h:9901/stats/prometheus'],
    ['http://h:9090/federate?match[]=up', 'http://h:9090/federate?match[]=up'],
    ['h:8080/actuator/prometheus/', 'http://h:8080/actuator/prometheus'],
  ])('completes %j to %s', (token, url) => {
    expect(parseMetricsTarget(token).url).toBe(url);
  });

  test.each([
    ['exact:http://h:1/custom', 'http://h:1/custom'],
    ['exact:h:1/custom/?format=text', 'http://h:1/custom/?format=text'],
    [' exact:https://h', 'https://h/'],
    ['exact:http://h:1/metrics', 'http://h:1/metrics'],
  ])('takes %j as it is', (token, url) => {
    expect(parseMetricsTarget(token)).toEqual({ url, alternatives: [], isExact: true });
    const withoutPrefix = token.trim().slice('exact:'.length);
    expect(parseExactTarget(withoutPrefix)).toEqual(parseMetricsTarget(token));
  });

  test.each(['exact:', 'exact:myhost', 'exact:ftp://h:1'])('rejects %j', token => {
    expect(() => parseMetricsTarget(token)).toThrow(/expected host:port or http/);
  });

  test.each(['myhost', '', '  ', 'ftp://h:1', 'h:99999', 'two words:1', 'http://', ':8000'])(
    'rejects %j',
    token => {
      expect(() => parseMetricsTarget(token)).toThrow(TargetError);
      expect(() => parseMetricsTarget(token)).toThrow(/expected host:port or http/);
    },
  );

  test('removes credentials from the URL', () => {
    const target = parseMetricsTarget('http://me:s%40cret@h:1');
    expect(target).toMatchObject({
      url: 'http://h:1/metrics',
      credentials: { user: 'me', password: 's@cret' },
    });
    expect(() => parseMetricsTarget('ftp://me:secret@h:1')).toThrow(/^((?!secret).)*$/);
  });
});

test.each([
  ['http://me:50%@h:1', '50%'],
  ['http://me:a%zzb%40@h:1', 'a%zzb@'],
  ['http://me:%ff@h:1', '%ff'],
  ['http://me:%C3%A4%@h:1', 'ä%'],
])('keeps unescaped percent signs in the password of %s', (token, password) => {
  expect(parseMetricsTarget(token).credentials).toEqual({ user: 'me', password });
});

describe('secrets in the query', () => {
  test.each([
    ['http://h/metrics?api_key=S3CRET', 'http://h/metrics?api_key=REDACTED'],
    ['http://h/metrics?a=1&token=S3CRET&name[]=up', 'http://h/metrics?a=1&token=REDACTED&name[]=up'],
    ['http://h/metrics?api%5Fkey=S3CRET', 'http://h/metrics?api%5Fkey=REDACTED'],
  ])('%s is fetched but not shown', (token, url) => {
    const target = parseMetricsTarget(token);
    expect(target).toMatchObject({ url, fetchUrl: token });
    expect(restoreQuerySecrets(target, target.url)).toBe(token);
    expect(restoreQuerySecrets(target, toFallbackUrl(target.url)!)).toBe(toFallbackUrl(token));
  });

  test('shows a query without secrets as it is fetched', () => {
    const target = parseMetricsTarget('http://h/metrics?name[]=up&format=text');
    expect(target).not.toHaveProperty('fetchUrl');
    expect(restoreQuerySecrets(target, target.url)).toBe(target.url);
  });

  test('does not send a secret to another path of the server', () => {
    const target = parseServerTarget('http://h/v1?key=S3CRET');
    expect(target.alternatives).toEqual(['http://h/metrics']);
    expect(restoreQuerySecrets(target, 'http://h/metrics')).toBe('http://h/metrics');
  });

  test('numbers targets that differ only in a secret', () => {
    const targets = deduplicateTargets(
      ['a', 'b', 'a', 'c'].map(key => parseMetricsTarget(`http://h/metrics?key=${key}`)),
    );
    expect(targets.map(({ url }) => url)).toEqual([
      'http://h/metrics?key=REDACTED',
      'http://h/metrics?key=REDACTED-2',
      'http://h/metrics?key=REDACTED-3',
    ]);
    expect(targets.map(target => restoreQuerySecrets(target, target.url))).toEqual([
      'http://h/metrics?key=a',
      'http://h/metrics?key=b',
      'http://h/metrics?key=c',
    ]);
  });

  test.each(['ftp://h/metrics?key=S3CRET', 'u:S3CRET/x@h', 'u:p//S3CRET@h'])(
    'redacts secrets in the error for %s',
    token => {
      expect(() => parseMetricsTarget(token)).toThrow(/^((?!S3CRET).)*$/);
    },
  );
});

describe('parseServerTarget', () => {
  test.each([
    ['localhost:8000', 'http://localhost:8000/metrics', []],
    ['http://h:8000/', 'http://h:8000/metrics', []],
    ['http://h:8000/v1', 'http://h:8000/v1/metrics', ['http://h:8000/metrics']],
    ['myhost', 'http://myhost/metrics', []],
  ])('completes %j to %s, with the alternatives %j', (base, url, alternatives) => {
    expect(parseServerTarget(base)).toMatchObject({ url, alternatives });
  });
});

test('keeps the first of two equal URLs', () => {
  const targets = deduplicateTargets([
    parseServerTarget('h:1'),
    parseMetricsTarget('g:2'),
    parseMetricsTarget('http://h:1/metrics'),
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
])('finds the fallback of %s', (url, fallback) => {
  expect(toFallbackUrl(url)).toBe(fallback);
});

test('marks URLs that were derived from the URL of an API and not also given explicitly', () => {
  const targets = deduplicateTargets([
    parseServerTarget('h:1'),
    parseServerTarget('h:2'),
    parseMetricsTarget('h:2'),
  ]);
  expect(targets.map(({ url, isDerived = false }) => [url, isDerived])).toEqual([
    ['http://h:1/metrics', true],
    ['http://h:2/metrics', false],
  ]);
});
