import { expect, test } from 'vitest';
import { toDefinition } from '../src/definitionFile.ts';

test('reads fields in snake case, but keeps the names of metrics', () => {
  const metrics = { my_queue_length: { total: { label: 'priority', value: '' } } };
  const definition = toDefinition({
    name: 'Mine',
    export_name: 'mine',
    recognize: { prefixes: ['my_'] },
    roles: { kv_cache_usage: { metrics: ['my_cache_usage'], operation: 'max' } },
    reconciliation: { first_token: [{ name: 'my_first_token_ms', unit_ms: 1 }] },
    metrics,
  });
  expect(definition.exportName).toBe('mine');
  expect(definition.roles.kvCacheUsage).toEqual({ metrics: ['my_cache_usage'], operation: 'max' });
  expect(definition.reconciliation.firstToken).toEqual([{ name: 'my_first_token_ms', unitMs: 1 }]);
  expect(definition.metrics).toEqual(metrics);
});

test('a file without roles, key metrics and counts has empty lists of them', () => {
  const definition = toDefinition({ name: 'Mine', recognize: { prefixes: ['my_'] } });
  expect(definition).toMatchObject({ keyMetrics: [], roles: {}, failures: [] });
  expect(Object.values(definition.reconciliation)).toEqual(Array(9).fill([]));
});
