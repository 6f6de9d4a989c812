import { describe, expect, it, test } from 'vitest';
import { toBody } from '../../src/exposition/body.ts';
import { FastSampleLine } from '../../src/exposition/fastSampleLine.ts';

/** Reads each line of a body with FastSampleLine. Lines that it leaves to the general reader are undefined. */
function readLines(text: string, trailingComma = true) {
  const body = toBody(Buffer.from(text));
  const fast = new FastSampleLine(body, trailingComma);
  const results = [];
  for (let start = 0; start < body.text.length; ) {
    const newline = body.text.indexOf('\n', start);
    const end = newline === -1 ? body.text.length : newline;
    const { name, labels, value, valueEnd } = fast.read(start, end) ? fast : ({} as Partial<FastSampleLine>);
    results.push(
      name === undefined ? undefined : { name, labels, value, tail: body.text.slice(valueEnd, end) },
    );
    start = end + 1;
  }
  return results;
}

describe('FastSampleLine', () => {
  test.each([
    ['a 1', { name: 'a', labels: [], value: 1, tail: '' }],
    ['a{} 1 5', { name: 'a', labels: [], value: 1, tail: ' 5' }],
    ['a:b{x="1"} 1e3 # {} 1', { name: 'a:b', labels: [['x', '1']], value: 1000, tail: ' # {} 1' }],
    ['a{x="é\\n"} NaN', { name: 'a', labels: [['x', 'é\n']], value: NaN, tail: '' }],
    ['a{x="} # ,="} 1', { name: 'a', labels: [['x', '} # ,=']], value: 1, tail: '' }],
  ])('reads %s', (line, expected) => {
    expect(readLines(line)).toEqual([expected]);
  });

  test.each([
    '',
    ' a 1',
    'a  1',
    'a',
    'a{',
    'a{x="1"',
    'a{x="1"}1',
    'a{x="1"} ',
    'a{x="1" } 1',
    'a{ x="1"} 1',
    'a{x ="1"} 1',
    'a{,} 1',
    'a{x="1",,} 1',
    'a{x="1"y="2"} 1',
    'a{x="1",x="2"} 1',
    'a{x="\\',
    'a{x="\\"} 1',
    'a{"x"="1"} 1',
    '{"a"} 1',
    'a{__name__="b"} 1',
    'a{x:y="1"} 1',
    'a\t1',
    'a 1\t',
    'a 1\r',
    'a x',
  ])('leaves %j to the general reader', line => {
    expect(readLines(`${line}\nb 1`)).toEqual([undefined, expect.anything()]);
  });

  it('allows a trailing comma if the format does', () => {
    expect(readLines('a{x="1",} 1', true)[0]?.labels).toEqual([['x', '1']]);
    expect(readLines('a{x="1",} 1', false)).toEqual([undefined]);
  });

  it('shares names and labels between adjacent lines', () => {
    const [first, second, third] = readLines('a{x="1",y="2"} 1\na{x="1",y="2"} 2\na{x="1",y="3"} 3\n');
    expect(second?.labels).toBe(first?.labels);
    expect(third?.labels).toEqual([
      ['x', '1'],
      ['y', '3'],
    ]);
    expect(third?.labels?.[0]).toBe(first?.labels?.[0]);
  });

  it('shares nothing with a previous line that it could not read', () => {
    const lines = readLines('a{x="1",y="2"} 1\na{x="9",y=2} 1\na{x="9",y="2"} 1\nb{x="9"} z\nb{x="9"} 1\n');
    expect(lines.map(line => line?.labels)).toEqual([
      [
        ['x', '1'],
        ['y', '2'],
      ],
      undefined,
      [
        ['x', '9'],
        ['y', '2'],
      ],
      undefined,
      [['x', '9']],
    ]);
  });
});
