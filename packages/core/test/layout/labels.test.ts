import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatLabelsKey, sortLabels } from '../../src/layout/labels.ts';

const pairs = fc.array(fc.tuple(fc.string({ maxLength: 3 }), fc.string({ maxLength: 3 })), { maxLength: 5 });

describe('labels', () => {
  it('are sorted by name, including names that are special in objects', () => {
    const labels = sortLabels([
      ['b', '1'],
      ['__proto__', '2'],
      ['10', '3'],
      ['9', '4'],
      ['constructor', '5'],
    ]);
    expect(labels.map(([name]) => name)).toEqual(['10', '9', '__proto__', 'b', 'constructor']);
  });

  it('keep the last pair of a repeated name', () => {
    expect(
      sortLabels([
        ['a', '1'],
        ['a', '2'],
      ]),
    ).toEqual([['a', '2']]);
  });

  it('have equal keys if and only if they are equal', () => {
    fc.assert(
      fc.property(pairs, pairs, (a, b) => {
        const [left, right] = [sortLabels(a), sortLabels(b)];
        expect(formatLabelsKey(left) === formatLabelsKey(right)).toBe(
          JSON.stringify(left) === JSON.stringify(right),
        );
      }),
    );
  });

  it.each([
    [
      [['a', '1:b1:c']],
      [
        ['a', '1'],
        ['b', 'c'],
      ],
    ],
    [[['ab', 'c']], [['a', 'bc']]],
  ] as const)('have different keys for ambiguous concatenations: %j and %j', (left, right) => {
    expect(formatLabelsKey(left)).not.toBe(formatLabelsKey(right));
  });
});
