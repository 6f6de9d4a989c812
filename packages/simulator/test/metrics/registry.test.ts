import { expect, test } from 'vitest';
import { Registry } from '../../src/metrics/registry.ts';

const registry = (): Registry => new Registry({ clockS: () => 100, truth: undefined });

test('equal labels in any order give the same series', () => {
  const family = registry().gauge('g', 'a gauge');
  const series = family.labels({ a: '1', b: '2' });
  expect(family.labels({ b: '2', a: '1' })).toBe(series);
  expect(family.labels({ a: '12', b: '' })).not.toBe(series);
  expect(family.series).toHaveLength(2);
});

test('a name can be declared once per type', () => {
  const both = registry();
  both.counter('tokens', '');
  both.histogram('tokens', '', [1]);
  expect(() => both.counter('tokens', '')).toThrow('counter "tokens" is declared twice');
});

test('creation times increase', () => {
  const family = registry().counter('c', '');
  const [first, second] = [family.labels({ a: '1' }), family.labels({ a: '2' })];
  expect(first.createdS).toBeGreaterThan(100);
  expect(second.createdS).toBeGreaterThan(first.createdS);
});
