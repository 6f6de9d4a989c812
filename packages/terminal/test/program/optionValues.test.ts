import { expect, test } from 'vitest';
import { parseByteSize } from '../../src/index.ts';
import {
  createOptionError,
  isSet,
  type NumberRange,
  omitUndefined,
  parseNumber,
  readByteSize,
  readList,
  readNumber,
  readSeconds,
  readSecondsOrInfinity,
  readText,
} from '../../src/program.ts';

test.each<[unknown, NumberRange, number]>([
  ['8', {}, 8],
  [8, {}, 8],
  ['1e3', { isInteger: true }, 1000],
  ['-2.5', { min: -3 }, -2.5],
  ['0', { min: 0, max: 1 }, 0],
  ['0.5', { above: 0, below: 1 }, 0.5],
])('reads %j as a number in %j', (value, range, number) => {
  expect(readNumber({ n: value }, 'n', range)).toBe(number);
});

test.each<[string, NumberRange, string]>([
  ['x', {}, 'a number'],
  ['', {}, 'a number'],
  ['inf', {}, 'a number'],
  ['1.5', { min: 1, isInteger: true }, 'an integer of at least 1'],
  ['9007199254740993', { isInteger: true }, 'an integer'],
  ['101', { min: 0, max: 100 }, 'a number from 0 to 100'],
  ['-1', { min: 0, unit: 'seconds' }, 'a number of seconds, at least 0'],
  ['-1', { min: 0 }, 'a number of at least 0'],
  ['0', { above: 0 }, 'a number greater than 0'],
  ['0', { above: 0, max: 2 }, 'a number greater than 0, up to 2'],
  ['1', { above: 0, below: 1 }, 'a number between 0 and 1'],
])('rejects %j as a number in %j', (value, range, expected) => {
  expect(() => readNumber({ n: value }, 'n', range)).toThrow(
    `invalid --n ${JSON.stringify(value)}: expected ${expected}`,
  );
});

test('options that are not set have no value', () => {
  expect(readNumber({}, 'n', {})).toBeUndefined();
  expect(readSeconds({}, 'n', 0)).toBeUndefined();
  expect(readSecondsOrInfinity({}, 'n')).toBeUndefined();
  expect(readText({}, 'n', 'a name')).toBeUndefined();
  expect(readByteSize({}, 'n', 1, 'a size')).toBeUndefined();
  expect(readList({}, 'n')).toEqual([]);
  expect(isSet({}, 'n')).toBe(false);
});

test('reads infinity, or a number of seconds', () => {
  expect(readSecondsOrInfinity({ n: 'inf' }, 'n')).toBe(Infinity);
  expect(readSecondsOrInfinity({ n: '2.5' }, 'n')).toBe(2.5);
  expect(() => readSecondsOrInfinity({ n: 'soon' }, 'n')).toThrow(
    'invalid --n "soon": expected a number of seconds, at least 0, or inf',
  );
});

test.each([
  ['500ms', 0.5],
  ['30s', 30],
  ['1.5 m', 90],
  ['2min', 120],
  ['1H', 3600],
])('reads %j as a number of seconds', (text, seconds) => {
  expect(readSeconds({ n: text }, 'n', 0)).toBe(seconds);
});

test.each(['30x', 's', '1s2', '-1s'])('rejects %j as a number of seconds', text => {
  expect(() => readSeconds({ n: text }, 'n', 0)).toThrow(
    `invalid --n "${text}": expected a number of seconds, at least 0`,
  );
});

test('rejects a blank text', () => {
  expect(readText({ n: ' a ' }, 'n', 'a name')).toBe(' a ');
  expect(() => readText({ n: ' ' }, 'n', 'a name')).toThrow('invalid --n " ": expected a name');
});

test('reads sizes in bytes', () => {
  expect(readByteSize({ n: '1.5KiB' }, 'n', 1, 'a size')).toBe(1536);
  expect(() => readByteSize({ n: '1KB' }, 'n', 2000, 'a size, at least 2KB')).toThrow(
    'invalid --n "1KB": expected a size, at least 2KB',
  );
});

test('reads a single value as a list', () => {
  expect(readList({ n: 'a' }, 'n')).toEqual(['a']);
  expect(readList({ n: ['a', 1] }, 'n')).toEqual(['a', '1']);
});

test.each([['', ' ', undefined, 'x', null]])('parses %j as NaN', value => {
  expect(parseNumber(value)).toBeNaN();
});

test('omits undefined fields only', () => {
  expect(omitUndefined({ a: undefined, b: null, c: 0 })).toEqual({ b: null, c: 0 });
});

test.each([
  ['65536', 65_536],
  [65_536, 65_536],
  ['512MB', 512e6],
  [' 1.5 GiB ', 1.5 * 2 ** 30],
  ['1.0001kb', 1000],
])('parses %j', (text, bytes) => {
  expect(parseByteSize(text)).toBe(bytes);
});

test.each([[''], ['-1'], ['1e3'], ['5 parsecs'], ['MB'], ['1toString'], [undefined]])(
  'parses %j as NaN',
  text => {
    expect(parseByteSize(text)).toBeNaN();
  },
);

test('truncates a long value in a message', () => {
  const { message } = createOptionError('url', 'x'.repeat(100_000), 'host:port');
  expect(message).toBe(`invalid --url "${'x'.repeat(200)}…": expected host:port`);
});
