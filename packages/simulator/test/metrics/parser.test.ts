import { Layout } from '@org/core';
import { ExpositionReader, parseClassic, parseOpenMetrics } from '@org/scrape/exposition';
import { describe, expect, test } from 'vitest';
import { SERVER_KINDS } from '../../src/profiles/profile.ts';
import { Simulation } from '../../src/simulation.ts';

/** The scraper's parser reads all simulated pages without bad lines. */
describe.each(SERVER_KINDS)('pages of %s', kind => {
  const simulation = new Simulation({ kind, seed: 4, arrivalRate: 20, engines: 2 });
  simulation.advanceTo(5e9);
  const pages = simulation.pages.filter(({ format }) => format === 'text');

  test.each(pages.map(page => [page.name, page] as const))('%s has no bad lines', (_, page) => {
    const classic = parseClassic(Buffer.from(page.read('').body));
    expect(classic.badLineCount).toBe(0);
    expect(classic.families.length).toBeGreaterThan(10);
    const open = page.read('application/openmetrics-text');
    if (!open.contentType!.includes('openmetrics')) return;
    expect(parseOpenMetrics(Buffer.from(open.body)).badLineCount).toBe(0);
  });
});

test('only values change between scrapes, so that later reads are steady', () => {
  const simulation = new Simulation({ seed: 4, arrivalRate: 20 });
  const reader = new ExpositionReader(new Layout());
  const readings = [1, 2, 3].map(second => {
    simulation.advanceTo(second * 1e9);
    const { changed, steady, badLineCount } = reader.read(
      Buffer.from(simulation.getPage().read('').body),
      'classic',
    );
    return { changed, steady, badLineCount };
  });
  expect(readings).toEqual([
    { changed: true, steady: false, badLineCount: 0 },
    { changed: true, steady: true, badLineCount: 0 },
    { changed: true, steady: true, badLineCount: 0 },
  ]);
});
