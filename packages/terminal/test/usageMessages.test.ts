import { expect, test } from 'vitest';
import { describeUsageError, listOptions } from '../src/usageMessages.ts';

test.each([
  ['unknown option --jsn', 'unknown option --jsn; did you mean --json?'],
  ['unknown option --password', 'unknown option --password; see --help'],
  ['unknown options a, b', 'unknown options a, b; see --help'],
  [
    'Invalid values:\n  invalid --format x: expected one of csv',
    'invalid --format x: expected one of csv; see --help',
  ],
])('completes %j', (message, text) => {
  expect(describeUsageError(message, ['json', 'format'])).toBe(text);
});

test('lists the options of a yargs usage object', () => {
  expect(listOptions({ getDescriptions: () => ({ json: 'x', format: 'y' }) })).toEqual(['json', 'format']);
  expect(listOptions({})).toEqual([]);
});
