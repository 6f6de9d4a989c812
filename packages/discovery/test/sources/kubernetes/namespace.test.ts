import { expect, test } from 'vitest';
import { findNamespace, type NamespaceHints } from '../../../src/sources/kubernetes/namespace.ts';

test.each<[Partial<NamespaceHints>, string | undefined]>([
  [{ explicit: 'a', environment: 'b', cluster: 'c' }, 'a'],
  [{ explicit: '*', cluster: 'c' }, undefined],
  [{ environment: 'b', cluster: 'c' }, 'b'],
  [{ cluster: 'c', serverUrls: ['http://vllm.d.svc:8000'] }, 'c'],
  [{ serverUrls: ['localhost:1', 'vllm.d.svc:8000'] }, 'd'],
  [{ serverUrls: ['https://vllm.d.svc.cluster.local/v1'] }, 'd'],
  [{ serverUrls: ['http://d.svc.example.com', 'http://svc', 'not a url'] }, 'default'],
  [{}, 'default'],
])('%j: %s', (hints, expected) => {
  expect(findNamespace({ serverUrls: [], ...hints })).toBe(expected);
});
