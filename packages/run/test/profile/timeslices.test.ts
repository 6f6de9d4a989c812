import type { ServerMetricsDocument } from '@org/formats';
import { expect, test } from 'vitest';
import { findServerSlices } from '../../src/profile/timeslices.ts';

/** Creates a document with a series for each argument, whose timeslices start at these times in nanoseconds. */
function createDocument(...starts: readonly (readonly bigint[] | undefined)[]): ServerMetricsDocument {
  const series = starts.map(times => (times ? { timeslices: times.map(start_ns => ({ start_ns })) } : {}));
  const info = {
    fast: { median_update_interval_ms: 50 },
    slow: { median_update_interval_ms: 330 },
    none: {},
  };
  const document = { metrics: { a: { series }, b: { series: [] } }, summary: { endpoint_info: info } };
  return document as unknown as ServerMetricsDocument;
}

test.each([
  ['the latest start of all series', createDocument([1n, 5n], [1n, 9n], [1n]), 8],
  ['series without timeslices', createDocument(undefined, [], [3n]), 2],
  ['no timeslices', createDocument(undefined), undefined],
  ['no series', createDocument(), undefined],
])('finds the last start of the server timeslices: %s', (_, document, lastStartNs) => {
  const expected = lastStartNs === undefined ? undefined : { lastStartNs, intervalNs: 330e6 };
  expect(findServerSlices(document, 1n)).toEqual(expected);
});
