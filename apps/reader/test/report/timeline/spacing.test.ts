import { expect, test } from 'vitest';
import { describeThinned, isThinned, selectScrapes } from '../../../src/report/timeline/spacing.ts';

test.each([
  { neededSeconds: 3.6, scrapeSeconds: 0.333, thinned: true },
  { neededSeconds: 0.666, scrapeSeconds: 0.333, thinned: true },
  { neededSeconds: 0.5, scrapeSeconds: 0.333, thinned: false },
])('thins scrapes only if every second one is enough: %o', ({ thinned, ...spacing }) => {
  expect(isThinned(spacing)).toBe(thinned);
});

test('selects scrapes of each endpoint by their distance in time', () => {
  const isWanted = selectScrapes({ neededSeconds: 1, scrapeSeconds: 0.25 });
  const select = (url: string, ...times: number[]): number[] =>
    times.filter(seconds => isWanted(url, BigInt(seconds * 1e9)));
  expect(select('a', 0, 0.25, 0.5, 0.95, 1.2, 1.84, 1.86)).toEqual([0, 0.95, 1.86]);
  expect(select('b', 0.5, 0.75)).toEqual([0.5]);
});

test('describes what is missing', () => {
  expect(describeThinned({ neededSeconds: 3.6, scrapeSeconds: 0.333 })).toBe(
    'one scrape per 3.6 s of a large file, so shorter peaks can be missing',
  );
});
