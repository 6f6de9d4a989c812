import { expect, test } from 'vitest';
import { formatOptionName } from '../../src/program/option.ts';
import { flag, option, pickOptions, withDefaultText } from '../../src/program.ts';

const TABLE = { rate: option('N', 'Rate per second', { defaultText: '1' }), quiet: flag('Print nothing') };

test('declares options that take a value, and flags', () => {
  expect(TABLE.rate).toEqual({ placeholder: 'N', description: 'Rate per second', defaultText: '1' });
  expect(TABLE.quiet).toEqual({ description: 'Print nothing' });
});

test('picks options in the order of the names', () => {
  expect(Object.keys(pickOptions(TABLE, ['quiet', 'rate']))).toEqual(['quiet', 'rate']);
  expect(() => pickOptions(TABLE, ['speed'])).toThrow('BUG: there is no option speed');
});

test('changes the default of one option in the help', () => {
  expect(withDefaultText(TABLE, 'rate', '5')).toEqual({
    ...TABLE,
    rate: { ...TABLE.rate, defaultText: '5' },
  });
  expect(TABLE.rate.defaultText).toBe('1');
});

test.each([
  ['q', '-q'],
  ['quiet', '--quiet'],
])('formats the name %s as %s', (name, text) => {
  expect(formatOptionName(name)).toBe(text);
});
