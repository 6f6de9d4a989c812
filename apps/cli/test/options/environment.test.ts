import { UsageError } from '@org/terminal';
import { expect, test } from 'vitest';
import { readSettings, VARIABLES } from '../../src/options/environment.ts';

test('returns the defaults of AIPerf', () => {
  expect(readSettings({})).toEqual({
    intervalMs: 333,
    flushMs: 2000,
    reachabilityMs: 10_000,
    batchSize: 100,
    shutdownMs: 5000,
  });
});

test.each(
  VARIABLES.flatMap(
    ({ name, min, max }) =>
      [
        [name, min],
        [name, max],
      ] as const,
  ),
)('%s accepts %d', (name, value) => {
  expect(() => readSettings({ [name]: String(value) })).not.toThrow();
});

test.each(
  VARIABLES.flatMap(({ name, min, max }) => [
    [name, String(min - 0.0005)],
    [name, String(max + 1)],
    [name, 'fast'],
    [name, 'NaN'],
  ]),
)('%s rejects %s, and the message contains the accepted range', (name, value) => {
  const { isInteger, unit, min, max } = VARIABLES.find(variable => variable.name === name)!;
  const read = (): unknown => readSettings({ [name!]: value });
  expect(read).toThrow(UsageError);
  expect(read).toThrow(
    `invalid ${name} "${value}": expected ${isInteger ? 'an integer' : 'a'} number of ${unit} from ${min} to ${max}`,
  );
});

test('an empty variable is ignored', () => {
  expect(readSettings({ AIPERF_SERVER_METRICS_COLLECTION_INTERVAL: ' ' }).intervalMs).toBe(333);
});
