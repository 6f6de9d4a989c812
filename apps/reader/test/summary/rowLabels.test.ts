import type { Distinction } from '@org/analysis';
import { expect, test } from 'vitest';
import { formatRowLabels } from '../../src/summary/rowLabels.ts';

const createRow = (endpoint: string, labels: Record<string, string>): Distinction[] => [
  ...(endpoint ? [{ value: endpoint }] : []),
  ...Object.entries(labels).map(([label, value]) => ({ label, value })),
];
const rows = [
  createRow('localhost:18431', { source: 'local_compute' }),
  createRow('localhost:18431?i=2', { source: 'local_compute' }),
  createRow('localhost:18431?i=2', { source: 'local_cache_hit' }),
];

test.each<[number, readonly Distinction[][], readonly string[]]>([
  [20, [[]], ['']],
  [30, [createRow('', { a: '1', b: '' })], ['a=1 b=']],
  [
    44,
    rows,
    [
      'localhost:18431 source=local_compute',
      'localhost:18431?i=2 source=local_compute',
      'localhost:18431?i=2 source=local_cache_hit',
    ],
  ],
  [
    35,
    rows,
    [
      'localhost:18431 local_compute',
      'localhost:18431?i=2 local_compute',
      'localhost:18431?i=2 local_cache_hit',
    ],
  ],
  [
    21,
    rows,
    [
      'localhost:18431 local_compute',
      'localhost:18431?i=2 local_compute',
      'localhost:18431?i=2 local_cache_hit',
    ],
  ],
  [6, [createRow('', { a: '日本語テキスト' })], ['日本語テキスト']],
])('for %d columns, formats %j as %j', (width, parts, labels) => {
  expect(formatRowLabels(parts, width)).toEqual(labels);
});
