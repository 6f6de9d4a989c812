import { recoverRun } from '@org/record/journal';
import { expect, test, vi } from 'vitest';
import {
  countResponses,
  delayMetrics,
  getInfo,
  RUN_INFO,
  readBaselines,
  repeat,
  startRun,
  startServer,
  toDocument,
} from './testRun.ts';

test('the period of an endpoint that is too slow for the barrier starts at its first sample', async () => {
  const quick = await startServer();
  const slow = await delayMetrics(await startServer(), 500);
  const { scraping, journal } = await startRun([quick, slow]);
  const sendRequests = async (): Promise<void> =>
    void (await Promise.all([quick.sendRequest(), slow.sendRequest()]));
  await repeat(2, sendRequests);
  await scraping.startProfiling(undefined, 100);
  // The slow endpoint first completes its in-flight scrape and then its baseline scrape.
  await vi.waitFor(() => expect(readBaselines(journal)).toEqual(['0', '1']), 30_000);
  await repeat(5, sendRequests);
  await scraping.endProfiling(false);
  await scraping.close(false);
  const document = toDocument(scraping.createRecord(RUN_INFO));
  const { baseline_ns, start_slack_ms } = getInfo(document, slow);
  expect(baseline_ns! > document.summary.profiling_start_ns!).toBe(true);
  expect(start_slack_ms).toBeGreaterThan(320);
  expect(countResponses(document)).toEqual({ [`${quick.url}/metrics`]: 5, [`${slow.url}/metrics`]: 5 });
  expect(toDocument(recoverRun(journal.path).record)).toEqual(document);
});

test('returns an empty period at the end of a run that never started profiling', async () => {
  const server = await startServer();
  const { scraping } = await startRun([server]);
  expect(await scraping.endProfiling(false)).toBeUndefined();
  await scraping.close(false);
  const { period, endNs, endpoints } = scraping.createRecord(RUN_INFO);
  expect(period).toEqual({ startNs: endNs, endNs });
  expect(endpoints[0]!.store.frameCount).toBeGreaterThan(0);
});

test('records marks, the cost of scraping and the health of endpoints in the record and in the journal', async () => {
  const server = await startServer();
  const { scraping, journal } = await startRun([server]);
  const mark = { time_ns: 5n, kind: 'note', text: 'half way', sender: 'me' } as const;
  scraping.addMark(mark);
  await scraping.startProfiling();
  await scraping.endProfiling(true);
  await scraping.close(true);
  const record = scraping.createRecord({ ...RUN_INFO, cancelled: true });
  expect(record).toMatchObject({ cancelled: true, marks: [mark] });
  expect(record.scraping!.scrapes).toBeGreaterThanOrEqual(3);
  expect(record.endpoints[0]).toMatchObject({
    url: `${server.url}/metrics`,
    health: { status: 'active', scrapes_failed: 0, cost: { configured_interval_ms: 50 } },
  });
  const { store: _, ...endpoint } = record.endpoints[0]!;
  expect(recoverRun(journal.path).record).toMatchObject({
    cancelled: true,
    period: record.period,
    marks: [mark],
    scraping: record.scraping,
    endpoints: [endpoint],
  });
});
