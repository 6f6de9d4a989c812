import { expect, test } from 'vitest';
import { createExportView } from '../../src/view/exportView.ts';
import { createEndpointRecord, createRunRecord, type ScrapeRow, T0 } from '../support/runRecord.ts';

const URL = 'http://a:1/metrics';

/** Returns the gaps in the export of an endpoint with samples at these seconds, in a period from 0 s to 20 s. */
function exportGaps(seconds: readonly number[]): number[][] | undefined {
  const rows = seconds.map((second): ScrapeRow => [second, { up: 1 }]);
  const record = createRunRecord([createEndpointRecord(URL, { up: 'gauge' }, rows)], 0, 20);
  const { gaps } = createExportView(record).summary.endpoint_info[URL]!;
  return gaps?.map(({ start_ns, end_ns }) => [start_ns, end_ns].map(ns => Number(ns - T0) / 1e9));
}

test('exports the times in which an endpoint has no samples', () => {
  expect(exportGaps([0, 1, 2, 3, 13, 14, 15, 16])).toEqual([[3, 13]]);
  expect(exportGaps([0, 1, 2, 3, 4, 5, 6, 7])).toBeUndefined();
});
