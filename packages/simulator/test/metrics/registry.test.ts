import { expect, test } from 'vitest';
import { getSeries, getSeriesByLabel, Registry } from '../../src/metrics/registry.ts';

const createRegistry = (): Registry => new Registry({ getTimeS: () => 100, truth: undefined });

test('equal labels in any order return the same series', () => {
  const family = createRegistry().gauge('g', 'a gauge');
  const series = family.labels({ a: '1', b: '2' });
  expect(family.labels({ b: '2', a: '1' })).toBe(series);
  expect(family.labels({ a: '12', b: '' })).not.toBe(series);
  expect(family.series).toHaveLength(2);
});

test('a name can be declared once per type', () => {
  const registry = createRegistry();
  registry.counter('tokens', '');
  registry.histogram('tokens', '', [1]);
  expect(() => registry.counter('tokens', '')).toThrow('counter "tokens" is declared twice');
});

test('creation times increase', () => {
  const family = createRegistry().counter('c', '');
  const [first, second] = [family.labels({ a: '1' }), family.labels({ a: '2' })];
  expect(first.createdS).toBeGreaterThan(100);
  expect(second.createdS).toBeGreaterThan(first.createdS);
});

test('returns the series of several families, and the series of each value of a label', () => {
  const metrics = createRegistry();
  const families = { running: metrics.gauge('running', ''), ended: metrics.counter('ended', '') };
  const series = getSeries(families, { model: 'm' });
  expect(series.running).toBe(families.running.labels({ model: 'm' }));
  const byReason = getSeriesByLabel(families.ended, { model: 'm' }, 'reason', ['stop', 'length']);
  byReason.stop.inc(2);
  expect(families.ended.labels({ reason: 'stop', model: 'm' }).value).toBe(2);
  expect(families.ended.series).toHaveLength(3);
});
