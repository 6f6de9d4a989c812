import { expect, test } from 'vitest';
import { parseRunMetadata, ReferenceCollector } from '../../src/view/parquetMetadata.ts';
import { toSummary } from '../../src/view/summary.ts';
import { createEndpointRecord, createRunRecord } from '../support/runRecord.ts';

const summary = toSummary(createRunRecord([createEndpointRecord('a', {}, [])], 0, 1));
const NS = 1_765_615_837_721_140_145n;

test('reads back the reference sample of every series', () => {
  const references = new ReferenceCollector();
  references.add('a', NS, false);
  references.add('a', NS, true);
  references.add('a', null, false);
  references.add('a', null, false);
  references.add('a', NS, false);
  references.add('b', null, false);
  expect(parseRunMetadata(new Map([references.toMetadata(summary)]))).toEqual({
    summary,
    references: { a: NS, b: null },
    others: [{ reference_ns: null, series: [[2, 3]] }],
    clamped: 1,
  });
});

test('limits the values of resets, and counts the series without them', () => {
  const references = new ReferenceCollector();
  const reset = { base: Array(1000).fill(0), offsets: [] };
  for (let series = 0; series < 250; series++) references.add('a', NS, false, { reset });
  const metadata = parseRunMetadata(new Map([references.toMetadata(summary)]))!;
  expect(metadata.resets).toHaveLength(200);
  expect(metadata.clamped).toBe(50);
});

test.each([
  ['a missing entry', []],
  ['malformed JSON', [['servelens.run', '{']]],
  ['an unknown shape', [['servelens.run', '{"summary":{}}']]],
] as const)('returns undefined for %s', (_, entries) => {
  expect(parseRunMetadata(new Map(entries))).toBeUndefined();
});
