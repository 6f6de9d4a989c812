import { type Family, type FamilyType, Layout } from '@org/core';
import fc from 'fast-check';

/** A step that adds a series, or a bucket or quantile of a series, to a layout. */
export type Growth =
  | { kind: 'scalar' | 'histogram' | 'summary'; family: Family; labels: [string, string][] }
  | { kind: 'part'; series: number; bound: number; text: string };

const names = fc.oneof(
  fc.constantFrom('__proto__', 'constructor', 'a', 'b', 'é模'),
  fc.string({ unit: 'binary', maxLength: 5 }),
);

const family: fc.Arbitrary<Family> = fc
  .record({ name: names, help: names, unit: fc.constantFrom(undefined, '', 'seconds') })
  .map(({ name, help, unit }) => {
    const base = { name, type: 'gauge', help } as const;
    return unit === undefined ? base : { ...base, declaredUnit: unit };
  });

export const anyGrowth: fc.Arbitrary<Growth> = fc.oneof(
  fc
    .record({
      kind: fc.constantFrom('scalar' as const, 'histogram' as const, 'summary' as const),
      family,
      scalarType: fc.constantFrom<FamilyType>('gauge', 'counter', 'unknown'),
      labels: fc.array(fc.tuple(names, names), { maxLength: 3 }),
    })
    .map(({ kind, family: base, scalarType, labels }) => ({
      kind,
      labels,
      family: { ...base, type: kind === 'scalar' ? scalarType : kind },
    })),
  fc.record({
    kind: fc.constant('part' as const),
    series: fc.nat(20),
    bound: fc.oneof(fc.constantFrom(0.1, 1, -0, Number.POSITIVE_INFINITY), fc.double({ noNaN: true })),
    text: names,
  }),
);

/** Applies a step to a layout. A part is ignored unless the selected series is a histogram or a summary. */
export function grow(layout: Layout, growth: Growth): void {
  if (growth.kind !== 'part') layout[growth.kind](growth.family, growth.labels);
  else {
    const series = layout.series[growth.series % Math.max(1, layout.series.length)];
    if (series?.kind === 'histogram') layout.bucket(series, growth.bound, growth.text);
    else if (series?.kind === 'summary') layout.quantile(series, growth.bound, growth.text);
  }
}

export function createLayout(growths: readonly Growth[]): Layout {
  const layout = new Layout();
  for (const growth of growths) grow(layout, growth);
  return layout;
}

/** Describes a layout by slot. The description of the first slots does not depend on later ones. */
export function describeSlots(layout: Layout): unknown[] {
  return Array.from({ length: layout.slotCount }, (_, slot) => {
    const { series, ...role } = layout.getRole(slot);
    const { kind, family, labels } = series;
    return { ...role, series: layout.series.indexOf(series), kind, family, labels };
  });
}
