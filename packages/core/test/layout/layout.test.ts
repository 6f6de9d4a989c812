import { describe, expect, it } from 'vitest';
import type { Family, FamilyType } from '../../src/layout/layout.ts';
import { Layout } from '../../src/layout/layout.ts';

function createFamily(type: FamilyType): Family {
  return { name: 'f', type, help: '' };
}

describe('Layout.getRole', () => {
  const layout = new Layout();
  const gauge = layout.scalar(createFamily('gauge'), []);
  const histogram = layout.histogram(createFamily('histogram'), [['__proto__', 'x']]);
  const infiniteBound = layout.bucket(histogram, Infinity, '+Inf');
  const summary = layout.summary(createFamily('summary'), []);
  const median = layout.quantile(summary, 0.5, '0.5');
  const lateBound = layout.bucket(histogram, 1, '1.0');

  it('returns roles in the order in which their slots were added', () => {
    const roles = Array.from({ length: layout.slotCount }, (_, slot) => layout.getRole(slot));
    expect(roles.map(role => `${role.series.family.type} ${role.part}`)).toEqual([
      'gauge value',
      'histogram sum',
      'histogram count',
      'histogram bucket',
      'summary sum',
      'summary count',
      'summary quantile',
      'histogram bucket',
    ]);
  });

  it('returns the series and the bucket or quantile', () => {
    expect(layout.getRole(gauge.value).series).toBe(gauge);
    expect(layout.getRole(histogram.count).series).toBe(histogram);
    expect(layout.getRole(infiniteBound)).toEqual({
      part: 'bucket',
      series: histogram,
      bucket: histogram.buckets[1],
    });
    expect(layout.getRole(lateBound)).toEqual({
      part: 'bucket',
      series: histogram,
      bucket: histogram.buckets[0],
    });
    expect(layout.getRole(median)).toEqual({
      part: 'quantile',
      series: summary,
      quantile: summary.quantiles[0],
    });
  });

  it('adds no slot for an existing series or bound', () => {
    layout.scalar(createFamily('gauge'), []);
    layout.bucket(histogram, 1, '1e+00');
    expect(layout.slotCount).toBe(8);
  });

  it.each([-1, 8, 0.5, Number.NaN])('rejects %d, which is not a slot', slot => {
    expect(() => layout.getRole(slot)).toThrow(`slot ${slot} does not exist: the layout has 8 slots`);
  });
});
