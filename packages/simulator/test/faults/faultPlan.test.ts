import { expect, test } from 'vitest';
import type { Fault } from '../../src/faults/fault.ts';
import { FaultPlan } from '../../src/faults/faultPlan.ts';

const listKinds = (faults: readonly Fault[]): string[] => faults.map(({ kind }) => kind);

test('a fault affects as many scrapes as it sets, and active faults combine', () => {
  const plan = new FaultPlan();
  plan.add({ kind: 'html', scrapes: 2 });
  plan.add({ kind: 'stall', seconds: 1 });
  expect(listKinds(plan.take('metrics', '/metrics'))).toEqual(['html', 'stall']);
  expect(plan.faults).toEqual([
    { kind: 'html', scrapes: 1 },
    { kind: 'stall', seconds: 1 },
  ]);
  expect(listKinds(plan.take('metrics', '/metrics'))).toEqual(['html', 'stall']);
  expect(listKinds(plan.take('metrics', '/metrics'))).toEqual(['stall']);
  plan.clear();
  expect(plan.take('metrics', '/metrics')).toEqual([]);
});

test('a fault with `page` affects only that page', () => {
  const plan = new FaultPlan();
  plan.add({ kind: 'html', page: 'prometheus', scrapes: 1 });
  expect(plan.take('iterations', '/metrics')).toEqual([]);
  expect(listKinds(plan.take('prometheus', '/prometheus/metrics'))).toEqual(['html']);
});

test('a fault with `every` affects every Nth scrape of its page', () => {
  const plan = new FaultPlan();
  plan.add({ kind: 'html', every: 3, scrapes: 2, page: 'metrics' });
  const affected = Array.from({ length: 10 }, (_, i) => {
    plan.take('other', '/other');
    return plan.take('metrics', '/metrics').length > 0 ? i : -1;
  });
  expect(affected.filter(i => i >= 0)).toEqual([2, 5]);
});

test('a redirect to the trailing slash does not affect its target', () => {
  const plan = new FaultPlan();
  plan.add({ kind: 'redirect' });
  expect(plan.take('metrics', '/metrics')).toHaveLength(1);
  expect(plan.take('metrics', '/metrics/')).toHaveLength(0);
  plan.add({ kind: 'redirect', to: '/metrics/' });
  expect(plan.take('metrics', '/metrics/')).toHaveLength(1);
});

test('throws for an invalid fault', () => {
  expect(() => new FaultPlan().add({ kind: 'stall', seconds: -1 })).toThrow(
    'expected a number greater than 0',
  );
});
