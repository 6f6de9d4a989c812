import { expect, test } from 'vitest';
import { checkCommandName, describeUsageError, findUsageLine, listOptions } from '../src/usageMessages.ts';

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

test('completes a missing argument with the expected command line', () => {
  expect(describeUsageError('missing argument: got 0, expected 1', [], 'recover RUN')).toBe(
    'missing argument; expected recover RUN; see --help',
  );
});

test.each([
  ['$0 recover <run>', 'recover RUN'],
  ['$0 compare <base> <new..>', 'compare BASE NEW...'],
  ['$0 query [runs..]', 'query RUNS...'],
])('finds the usage line of %j', (usage, line) => {
  expect(findUsageLine({ getUsage: () => [[usage, 'description']] })).toBe(line);
});

test('finds no usage line of an unknown command', () => {
  expect(findUsageLine({})).toBeUndefined();
});

test.each([
  ['colect', 'unknown command "colect"; did you mean collect?'],
  ['foo', 'unknown command "foo"; see --help'],
])('rejects the command %j', (word, message) => {
  expect(() => checkCommandName([word], ['collect', 'read'])).toThrow(message);
});

test.each([[[]], [['--version']], [['read', 'x']]])('accepts the command line %j', argv => {
  expect(() => checkCommandName(argv, ['collect', 'read'])).not.toThrow();
});
