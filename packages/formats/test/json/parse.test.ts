import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson } from '../../src/json/parse.ts';
import { JsonSyntaxError } from '../../src/json/syntaxError.ts';

const parseValue = (text: string): unknown => parseJson(text).value;

describe('parseJson', () => {
  it('returns the same values as JSON.parse', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 0, 1, 2), (json, indent) => {
        const text = JSON.stringify(json, null, indent);
        // Two differences are intended: integers that JSON.parse rounds, and keys that end in _ns.
        fc.pre(!/_ns"|\d{16}/.test(text));
        expect(parseValue(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it('accepts and rejects the same texts as JSON.parse', () => {
    const syntaxText = fc.stringMatching(/^[[\]{},:"\\ntrue01.eE+\- \t]{0,12}$/);
    fc.assert(
      fc.property(syntaxText, text => {
        const expected = getOutcome(() => JSON.parse(text));
        expect(
          getOutcome(() => parseValue(text)),
          text,
        ).toEqual(expected);
      }),
      { numRuns: 3000 },
    );
  });

  it.each([
    ['0', 0],
    ['-0', -0],
    ['-0.0', -0],
    ['12', 12],
    ['0.1', 0.1],
    ['0.30000000000000004', 0.30000000000000004],
    ['1e3', 1000],
    ['1E-7', 1e-7],
    ['123456789012345', 123456789012345],
    ['9007199254740991', 9007199254740991],
    ['9007199254740993', 9007199254740993n],
    ['-9007199254740993', -9007199254740993n],
    ['9007199254740992', 9007199254740992],
    ['9223372036854775808', 9223372036854775808n],
    ['-9223372036854775808', -9223372036854775808n],
    ['18446744073709551616', 18446744073709551616n],
    ['18446744073709552000', 2 ** 64],
    ['1765793061967310848.5', Number('1765793061967310848')],
    ['5e-324', 5e-324],
    ['1e400', Number.POSITIVE_INFINITY],
    ['123456.789012345', 123456.789012345],
    ['0.000001', 0.000001],
    ['100000000000000000000', 1e20],
  ])('parses the number %s', (text, expected) => {
    expect(parseValue(text)).toBe(expected);
  });

  it('parses every double as JSON.parse does', () => {
    fc.assert(
      fc.property(
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.integer({ min: 0, max: 20 }),
        (number, digits) => {
          for (const text of [JSON.stringify(number), number.toFixed(digits)])
            if (!/^-?\d{16,}$/.test(text)) expect(parseValue(text)).toBe(JSON.parse(text));
        },
      ),
    );
  });

  it('returns integers in _ns fields as bigint, even small ones', () => {
    expect(parseValue('{"start_ns": 1765793061967310849, "end_ns": 5, "ns": 5, "x_ns": null}')).toEqual({
      start_ns: 1765793061967310849n,
      end_ns: 5n,
      ns: 5,
      x_ns: null,
    });
  });

  it.each([
    '1772000000123456789',
    '1.772000000123456789e18',
    '1772000000123456789.0',
    '17720000001234567890E-1',
  ])('keeps the nanoseconds %s exact', text => {
    expect(parseJson(`{"start_ns": ${text}}`).value).toEqual({ start_ns: 1_772_000_000_123_456_789n });
  });

  it.each([
    ['9007199254740993.0', 9_007_199_254_740_993n],
    ['9.007199254740993e15', 9_007_199_254_740_993n],
    ['503.0', 503],
    ['1.5e1', 15],
    ['1e23', 1e23],
  ])('keeps the integer %s exact', (text, value) => {
    expect(parseJson(text).value).toBe(value);
  });

  it.each(['1.7720000001234567890005e18', '1772000000123456789.5'])(
    'rejects the nanoseconds %s, which a double would round to an integer',
    text => {
      expect(() => parseJson(`{"start_ns": ${text}}`)).toThrow(
        'number of nanoseconds that is not an integer',
      );
    },
  );

  it('reports whether an integer outside of _ns fields does not fit into a double', () => {
    expect(parseJson('{"a_ns": 1765793061967310849}').wide).toBe(false);
    expect(parseJson('[9007199254740993]').wide).toBe(true);
  });

  it('treats __proto__ and constructor as ordinary keys', () => {
    const value = parseValue('{"__proto__": {"x": 1}, "constructor": "c", "toString": 1}') as object;
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(Object.entries(value)).toEqual([
      ['__proto__', { x: 1 }],
      ['constructor', 'c'],
      ['toString', 1],
    ]);
    expect(({} as { x?: number }).x).toBeUndefined();
  });

  it('lists duplicate keys and uses the last value', () => {
    const parsed = parseJson('{"a": 1, "b": [{"a": 2, "a": 3}], "a": 4, "__proto__": 1, "__proto__": 2}');
    expect(parsed.value).toMatchObject({ a: 4, b: [{ a: 3 }] });
    expect(parsed.duplicates.map(({ path }) => path)).toEqual([['b', 0, 'a'], ['a'], ['__proto__']]);
  });

  it('returns the right strings if they share a cache slot', () => {
    const keys = Array.from({ length: 20_000 }, (_, index) => `key ${index}`);
    const text = JSON.stringify(Object.fromEntries(keys.map(key => [key, key])));
    expect(Object.keys(parseValue(text) as object)).toEqual(keys);
  });

  it.each([
    ['', 'unexpected end of input; expected a value', 1, 1],
    ['{"a": NaN}', 'NaN is not valid JSON', 1, 7],
    ['[1,\n -Infinity]', '-Infinity is not valid JSON', 2, 2],
    ['{"a" 1}', 'expected ":" after the key "a"', 1, 6],
    ['{a: 1}', 'unexpected "a"; expected a key in quotes', 1, 2],
    ['[1 2]', 'unexpected "2"; expected "," or "]" after an item', 1, 4],
    ['{"a":1,}', 'unexpected "}"; expected a key in quotes', 1, 8],
    ['[01]', 'leading zero', 1, 2],
    ['[1.]', 'without digits after the decimal point', 1, 4],
    ['[1e+]', 'without digits in the exponent', 1, 5],
    ['["a\nb"]', 'unescaped control character', 1, 4],
    ['["a', 'unexpected end of input in a string', 1, 4],
    ['["\\x"]', 'invalid escape sequence', 1, 2],
    ['1 2', 'unexpected "2" after the end', 1, 3],
    [`${'['.repeat(513)}`, 'nested more than 512 levels deep', 1, 513],
  ])('rejects %j', (text, problem, line, column) => {
    const error = catchError(() => parseValue(text));
    expect(error).toBeInstanceOf(JsonSyntaxError);
    expect(error).toMatchObject({ message: expect.stringContaining(problem), line, column });
  });
});

/** Returns the parsed value, with bigints as doubles like in JSON.parse, or 'rejected' if parsing throws. */
function getOutcome(read: () => unknown): unknown {
  try {
    const value = read();
    return { value: typeof value === 'bigint' ? Number(value) : value };
  } catch {
    return 'rejected';
  }
}

function catchError(action: () => unknown): unknown {
  try {
    return action();
  } catch (error) {
    return error;
  }
}
