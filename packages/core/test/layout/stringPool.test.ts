import { describe, expect, it } from 'vitest';
import type { Labels } from '../../src/layout/labels.ts';
import { Layout } from '../../src/layout/layout.ts';
import { internLabels, internString } from '../../src/layout/stringPool.ts';

describe('internLabels', () => {
  it('returns equal labels in the same order', () => {
    const labels: Labels = [
      ['__proto__', 'x'],
      ['a', ''],
      ['constructor', '__proto__'],
      ['long', 'x'.repeat(1000)],
    ];
    expect(internLabels(labels)).toEqual(labels);
  });

  it('shares pairs between layouts', () => {
    const family = { name: 'f', type: 'gauge', help: '' } as const;
    const [first, second] = [new Layout(), new Layout()].map(
      layout => layout.scalar(family, [['model', ['m', 1].join('')]]).labels,
    );
    expect(first).toEqual([['model', 'm1']]);
    expect(first![0]).toBe(second![0]);
  });

  it('returns equal labels and strings even if the pool is full', () => {
    for (let i = 0; i < 20_000; i++) {
      const label = [`n${i % 7}`, `v${i}`] as const;
      expect(internLabels([label])[0]).toEqual(label);
      expect(internString(label[1])).toBe(label[1]);
    }
  });
});
