import { expect, test } from 'vitest';
import { readScrapeTargets } from '../../src/options/serverMetrics.ts';
import { readProfile, splitWords } from '../support/options.ts';

test.each([
  [{}, { enabled: true, endpoints: [] }],
  [{ 'server-metrics': ['a:1', 'b:2'] }, { enabled: true, endpoints: ['a:1', 'b:2'] }],
  [{ 'no-server-metrics': true }, { enabled: false, endpoints: [] }],
  [
    { 'no-server-metrics': false, 'server-metrics': ['a:1'] },
    { enabled: true, endpoints: ['a:1'] },
  ],
])('reads the endpoints of %j', (raw, expected) => {
  expect(readScrapeTargets(raw)).toEqual(expected);
});

test('rejects endpoints if scraping is disabled', () => {
  expect(() => readScrapeTargets({ 'no-server-metrics': true, 'server-metrics': ['a:1'] })).toThrow(
    'cannot use both --server-metrics and --no-server-metrics',
  );
});

test.each(['', '--server-metrics', '--server-metrics --streaming'])(
  '%j scrapes the servers of --url',
  line => {
    const { plan } = readProfile(['--model', 'm', '--url', 'h:1', ...splitWords(line)]);
    expect(plan.targets.map(({ url }) => url)).toEqual(['http://h:1/metrics']);
  },
);
