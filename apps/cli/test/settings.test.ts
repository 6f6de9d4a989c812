import { UsageError } from '@org/terminal';
import { expect, test } from 'vitest';
import { readSettings, VARIABLES } from '../src/settings.ts';

test('the defaults of seed 002, "Configuration"', () => {
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
    one =>
      [
        [one.name, one.least],
        [one.name, one.most],
      ] as const,
  ),
)('%s takes %d', (name, value) => {
  expect(() => readSettings({ [name]: String(value) })).not.toThrow();
});

test.each(
  VARIABLES.flatMap(one => [
    [one.name, String(one.least - 0.0005)],
    [one.name, String(one.most + 1)],
    [one.name, 'fast'],
    [one.name, 'NaN'],
  ]),
)('%s does not take %s, and says what it takes', (name, value) => {
  const variable = VARIABLES.find(one => one.name === name)!;
  const read = (): unknown => readSettings({ [name!]: value });
  expect(read).toThrow(UsageError);
  expect(read).toThrow(
    `${name} is "${value}"; expected a ${variable.whole ? 'whole number' : 'number'} from ${variable.least} to ${variable.most}`,
  );
});

test('an empty variable is none', () => {
  expect(readSettings({ AIPERF_SERVER_METRICS_COLLECTION_INTERVAL: ' ' }).intervalMs).toBe(333);
});
