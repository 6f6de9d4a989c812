import { expect, test } from 'vitest';
import { parseTargetGroups } from '../../src/sources/targetGroups.ts';

test('reads addresses with the labels of their group', () => {
  const groups = [
    { targets: ['h1:8000', 'h2:8000'], labels: { job: 'vllm', __meta_zone: 'a' } },
    { targets: ['h3:1'] },
  ];
  expect(parseTargetGroups(groups, 'f').map(({ url, labels }) => [url, labels])).toEqual([
    ['http://h1:8000/metrics', { job: 'vllm', zone: 'a' }],
    ['http://h2:8000/metrics', { job: 'vllm', zone: 'a' }],
    ['http://h3:1/metrics', undefined],
  ]);
});

test.each<[string, Record<string, string>, string, boolean]>([
  ['h:1', { __scheme__: 'https' }, 'https://h:1/metrics', false],
  ['h:1', { __metrics_path__: '/custom' }, 'http://h:1/custom', true],
  ['h:1', { __metrics_path__: 'custom' }, 'http://h:1/custom', true],
  ['h:1', { __param_module: 'a b' }, 'http://h:1/metrics?module=a+b', false],
  ['[::1]:8000', {}, 'http://[::1]:8000/metrics', false],
  ['h', {}, 'http://h/metrics', false],
  ['https://h:1/stats/prometheus', {}, 'https://h:1/stats/prometheus', false],
])('builds the URL of %s with %j', (address, labels, url, isExact) => {
  const [target] = parseTargetGroups([{ targets: [address], labels }], 'f');
  expect([target!.url, target!.isExact ?? false]).toEqual([url, isExact]);
});

test('redacts secrets in URLs', () => {
  const [target] = parseTargetGroups([{ targets: ['me:pw@h:1'], labels: { __param_token: 'hunter2' } }], 'f');
  expect(target).toMatchObject({
    url: 'http://h:1/metrics?token=REDACTED',
    fetchUrl: 'http://h:1/metrics?token=hunter2',
    credentials: { user: 'me', password: 'pw' },
  });
});

test.each<[unknown, string]>([
  [{}, 'f is not a list; expected groups such as'],
  [null, 'f is not a list'],
  [[1], 'f: group 1 has invalid targets; expected a list such as ["host:8000"]'],
  [[{ targets: ['h:1'] }, { targets: [1] }], 'f: group 2 has invalid targets'],
  [[{ targets: ['h:1'], labels: [] }], 'f: group 1 has invalid labels'],
  [[{ targets: ['h:1 2'] }], 'f: group 1: cannot scrape'],
  [[{ targets: ['h:1'], labels: { __scheme__: 'ftp' } }], 'unsupported scheme ftp'],
])('rejects %j', (value, message) => {
  expect(() => parseTargetGroups(value, 'f')).toThrow(message);
});
