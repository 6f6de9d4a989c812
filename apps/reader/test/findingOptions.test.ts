import { UsageError } from '@org/terminal';
import { expect, test } from 'vitest';
import { formatFindingList, parseFindingOptions } from '../src/findingOptions.ts';

test('parses omitted findings and thresholds', () => {
  expect(
    parseFindingOptions({
      'no-finding': ['idle-server'],
      threshold: ['growing-queue.factor=2', 'growing-queue.requests=1e3', 'full-kv-cache.usage=0.5'],
    }),
  ).toEqual({
    without: ['idle-server'],
    thresholds: { 'growing-queue': { factor: 2, requests: 1000 }, 'full-kv-cache': { usage: 0.5 } },
  });
});

test('returns no findings and no thresholds if the options are not set', () => {
  expect(parseFindingOptions({})).toEqual({ without: [], thresholds: {} });
});

test.each([
  ['no-finding', 'nope', /^invalid --no-finding "nope": expected one of dead-server, /],
  ['threshold', 'full-kv-cache', /^invalid --threshold "full-kv-cache": expected ID\.NAME=NUMBER, such as/],
  ['threshold', 'nope.usage=1', /expected ID\.NAME=NUMBER/],
  ['threshold', 'full-kv-cache.usage=high', /expected a number after =$/],
  ['threshold', 'full-kv-cache.use=1', /expected a threshold of full-kv-cache: usage$/],
  ['threshold', 'idle-server.x=1', /expected a finding with thresholds; idle-server has none$/],
])('rejects --%s %s', (option, value, message) => {
  expect(() => parseFindingOptions({ [option]: [value] })).toThrow(UsageError);
  expect(() => parseFindingOptions({ [option]: [value] })).toThrow(message);
});

test('lists every finding with its thresholds', () => {
  expect(formatFindingList()).toMatch(/^full-kv-cache {2}\(problem\) KV cache .*\n {4}usage=0\.9 {2}\S/m);
});
