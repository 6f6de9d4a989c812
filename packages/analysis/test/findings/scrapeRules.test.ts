import { describe, expect, test } from 'vitest';
import { findFindings } from '../../src/findings/findFindings.ts';
import { createRunFromView } from '../../src/run/run.ts';
import { createDocument, downInfo, healthyInfo, URL_A, URL_B } from '../documents.ts';
import { findById, HEALTHY_METRICS } from './runs.ts';

test.each<[string, object, RegExp]>([
  ['endpoint-without-data', downInfo, /refused the connection/],
  [
    'failed-scrapes',
    { ...healthyInfo, scrapes_failed: 20, status: 'failing', last_error: 'timed out' },
    /20 of 80 \(25%\) failed, including the last scrape: timed out/,
  ],
  ['skipped-scrapes', { ...healthyInfo, scrapes_late: 20 }, /20 of 80 skipped, mean latency 2\.5 ms$/],
  [
    'skipped-scrapes',
    { ...healthyInfo, scrapes_late: 20, scrape_latency_p99_ms: 400 },
    /20 of 80 skipped, mean latency 2\.5 ms, p99 400 ms$/,
  ],
  ['dropped-samples', { ...healthyInfo, samples_dropped: 4 }, /4 dropped/],
  [
    'unknown-starts',
    { ...healthyInfo, unknown_starts: [{ reason: 'scrape_failed', series: 5 }] },
    /5 series first appeared during profiling, after a failed scrape/,
  ],
])('reports %s from the entry of an endpoint', (id, info, text) => {
  const finding = findById(id, HEALTHY_METRICS, { [URL_A]: healthyInfo, [URL_B]: info });
  expect(finding?.evidence[0]).toMatchObject({ endpoint: 'down:1', text: expect.stringMatching(text) });
});

test.each<[string, object]>([
  ['endpoint-without-data', { ...downInfo, status: 'duplicate' }],
  ['failed-scrapes', { ...healthyInfo, total_fetches: 1000, scrapes_failed: 10 }],
  ['failed-scrapes', downInfo],
  ['skipped-scrapes', { ...healthyInfo, total_fetches: 98, scrapes_late: 2 }],
  ['dropped-samples', healthyInfo],
])('does not report %s within its thresholds', (id, info) => {
  expect(findById(id, HEALTHY_METRICS, { [URL_A]: healthyInfo, [URL_B]: info })).toBeUndefined();
});

test('reports what is missing from the journal of a recovered run', () => {
  const document = createDocument(HEALTHY_METRICS);
  const loss = { scrapes_lost: 3, scrapes_unwritten: 1, unreadable_places: 2, unreadable_bytes: 340 };
  const damaged = { ...document, summary: { ...document.summary!, data_loss: loss } };
  const [finding] = findFindings(createRunFromView(damaged)).filter(({ id }) => id === 'data-loss');
  expect(finding?.evidence.map(({ text }) => text)).toEqual([
    '3 scrapes lost through damage, 1 scrape not written during the run, 340 bytes in 2 places unreadable',
  ]);
  expect(findById('data-loss', HEALTHY_METRICS)).toBeUndefined();
});

describe('an endpoint without data', () => {
  const missing = {
    ...downInfo,
    status: 'disabled',
    last_error: 'responded with HTTP status 404',
    last_error_reason: 'not_found',
  };
  const findIds = (infos: Record<string, object>, config: object): string[] => {
    const view = { ...createDocument(HEALTHY_METRICS, infos), input_config: config };
    return findFindings(createRunFromView(view as never))
      .map(({ id }) => id)
      .filter(id => id !== 'run-without-timeslices');
  };

  test('is named in the advice with the URL that was used', () => {
    const finding = findById('endpoint-without-data', HEALTHY_METRICS, {
      [URL_A]: healthyInfo,
      [URL_B]: downInfo,
    });
    expect(finding!.advice).toContain(`curl ${URL_B}.`);
    expect(finding!.advice).not.toContain('localhost:8000');
  });

  test('is named in the advice, and not a duplicate of another endpoint', () => {
    const finding = findById('endpoint-without-data', HEALTHY_METRICS, {
      [URL_A]: { ...downInfo, status: 'duplicate' },
      [URL_B]: downInfo,
    });
    expect(finding!.advice).toContain(`curl ${URL_B}.`);
  });

  test('is only a note if its URL was derived and the server has no page there', () => {
    const infos = { [URL_A]: healthyInfo, [URL_B]: missing };
    expect(findIds(infos, { server_metrics_derived: [URL_B] })).toEqual(['no-metrics-page']);
    expect(findIds(infos, {})).toEqual(['endpoint-without-data']);
  });

  test('is not reported if the user gave as many other pages on its host', () => {
    const page = 'http://down:29000/metrics';
    const infos = { [page]: healthyInfo, [URL_B]: missing };
    expect(findIds(infos, { server_metrics_derived: [URL_B] })).toEqual([]);
    expect(findIds(infos, { server_metrics_derived: [URL_B, page] })).toEqual(['no-metrics-page']);
    const second = 'http://down:2/metrics';
    expect(findIds({ ...infos, [second]: missing }, { server_metrics_derived: [URL_B, second] })).toEqual([
      'no-metrics-page',
    ]);
  });

  test('is a problem if the server of a derived URL does not respond', () => {
    const infos = { [URL_A]: healthyInfo, [URL_B]: { ...downInfo, last_error_reason: 'refused' } };
    expect(findIds(infos, { server_metrics_derived: [URL_B] })).toEqual(['endpoint-without-data']);
  });
});
