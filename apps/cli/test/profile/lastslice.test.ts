import type { ServerMetricsDocument } from '@org/formats';
import { expect, test } from 'vitest';
import { lastSliceStart } from '../../src/profile/lastslice.ts';

function documentOf(...starts: readonly (readonly bigint[] | undefined)[]): ServerMetricsDocument {
  const series = starts.map(some => (some ? { timeslices: some.map(start_ns => ({ start_ns })) } : {}));
  return { metrics: { a: { series }, b: { series: [] } } } as unknown as ServerMetricsDocument;
}

test.each([
  ['of all series the latest', documentOf([1n, 5n], [1n, 9n], [1n]), 9n],
  ['series without slices', documentOf(undefined, [], [3n]), 3n],
  ['no slices at all', documentOf(undefined), undefined],
  ['nothing at all', documentOf(), undefined],
])('%s', (_, document, expected) => {
  expect(lastSliceStart(document)).toBe(expected);
});
