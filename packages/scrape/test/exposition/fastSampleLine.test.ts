import { describe, expect, it, test } from 'vitest';
import { toBody } from '../../src/exposition/body.ts';
import { FastSampleLine } from '../../src/exposition/fastSampleLine.ts';

/** Reads the lines of a body; undefined for lines that are not in the common form. */
function readAll(text: string, trailingComma = true) {
  const body = toBody(Buffer.from(text));
  const fast = new FastSampleLine(body, trailingComma);
  const read = [];
  for (let start = 0; start < body.text.length; ) {
    const newline = body.text.indexOf('\n', start);
    const end = newline === -1 ? body.text.length : newline;
    const { name, labels, value, valueEnd } = fast.read(start, end) ? fast : ({} as Partial<FastSampleLine>);
    read.push(name === undefined ? undefined : { name, labels, value, rest: body.text.slice(valueEnd, end) });
    start = end + 1;
  }
  return read;
}

describe('FastSampleLine', () => {
  test.each([
    ['a 1', { name: 'a', labels: [], value: 1, rest: '' }],
    ['a{} 1 5', { name: 'a', labels: [], value: 1, rest: ' 5' }],
    ['a:b{x="1"} 1e3 # {} 1', { name: 'a:b', labels: [['x', '1']], value: 1000, rest: ' # {} 1' }],
    ['a{x="é\\n"} NaN', { name: 'a', labels: [['x', 'é\n']], value: NaN, rest: '' }],
    ['a{x="} # ,="} 1', { name: 'a', labels: [['x', '} # ,=']], value: 1, rest: '' }],
  ])('reads %s', (line, expected) => {
    expect(readAll(line)).toEqual([expected]);
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
    expect(readAll(`${line}\nb 1`)).toEqual([
      ...(line === '' ? [undefined] : [undefined]),
      expect.anything(),
    ]);
  });

  it('allows a trailing comma if the format does', () => {
    expect(readAll('a{x="1",} 1', true)[0]?.labels).toEqual([['x', '1']]);
    expect(readAll('a{x="1",} 1', false)).toEqual([undefined]);
  });

  it('shares names and labels between adjacent lines', () => {
    const [one, two, three] = readAll('a{x="1",y="2"} 1\na{x="1",y="2"} 2\na{x="1",y="3"} 3\n');
    expect(two?.labels).toBe(one?.labels);
    expect(three?.labels).toEqual([
      ['x', '1'],
      ['y', '3'],
    ]);
    expect(three?.labels?.[0]).toBe(one?.labels?.[0]);
  });

  it('ignores the previous line if it could not be read', () => {
    const lines = readAll('a{x="1",y="2"} 1\na{x="9",y=2} 1\na{x="9",y="2"} 1\nb{x="9"} z\nb{x="9"} 1\n');
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
