import { Layout } from '@org/core';
import { ExpositionReader, parseClassic, parseOpenMetrics } from '@org/scrape/exposition';
import { describe, expect, test } from 'vitest';
import { SERVER_KINDS } from '../../src/profiles/profile.ts';
import { Simulation } from '../../src/simulation.ts';
import { readSampleValue } from '../support/exposition.ts';
import { readPages, runUnderLoad } from '../support/profiles.ts';

const cases = SERVER_KINDS.flatMap(kind => [1, 2].map(engines => ({ kind, engines })));

describe.each(cases)('$kind with $engines engines', options => {
  const simulation = runUnderLoad(options);
  const families = readPages(simulation);
  const truth = simulation.getTruth();

  test('every histogram matches the true observations', () => {
    const histograms = truth.histograms.filter(({ values }) => values.length > 0);
    // llama.cpp has no histograms.
    if (options.kind !== 'llamacpp') expect(histograms.length).toBeGreaterThan(0);
    for (const { name, labels, values } of histograms) {
      const labelValues = Object.fromEntries(labels);
      expect(readSampleValue(families, `${name}_count`, labelValues), name).toBe(values.length);
      expect(readSampleValue(families, `${name}_sum`, labelValues), name).toBe(
        values.reduce((sum, value) => sum + value, 0),
      );
      const buckets = families.get(name)!.samples.filter(sample => {
        return (
          sample.name === `${name}_bucket` && labels.every(([label, value]) => sample.labels[label] === value)
        );
      });
      for (const {
        labels: { le },
        value,
      } of buckets) {
        const bound = le === '+Inf' ? Number.POSITIVE_INFINITY : Number(le);
        expect(value, `${name} ${le}`).toBe(values.filter(observed => observed <= bound).length);
      }
    }
  });

  test('all requests are ended, running or waiting', () => {
    const unfinished = simulation.engines.reduce((sum, engine) => sum + engine.running + engine.waiting, 0);
    const arrived = simulation.engines.reduce((sum, engine) => sum + engine.submitted, 0);
    expect(truth.requests.length).toBe(arrived - unfinished);
    expect(truth.requests.some(({ finishReason }) => finishReason === 'abort')).toBe(true);
    expect(truth.requests.some(({ preemptions }) => preemptions > 0)).toBe(true);
  });

  test('another simulation with the same seed returns the same bodies', () => {
    const repeated = runUnderLoad(options);
    for (const page of simulation.pages.filter(({ format }) => format === 'text')) {
      expect(repeated.getPage(page.name).read('').body).toBe(page.read('').body);
    }
  });
});

// The scraper's parser reads all simulated text pages without invalid lines.
describe.each(SERVER_KINDS)('pages of %s', kind => {
  const simulation = new Simulation({ kind, seed: 4, arrivalRate: 20, engines: 2 });
  simulation.advanceTo(5e9);
  const pages = simulation.pages.filter(({ format }) => format === 'text');

  test.each(pages.map(page => [page.name, page] as const))('%s has no bad lines', (_, page) => {
    const classic = parseClassic(Buffer.from(page.read('').body));
    expect(classic.badLineCount).toBe(0);
    expect(classic.families.length).toBeGreaterThanOrEqual(10);
    const openMetrics = page.read('application/openmetrics-text');
    if (!openMetrics.contentType!.includes('openmetrics')) return;
    expect(parseOpenMetrics(Buffer.from(openMetrics.body)).badLineCount).toBe(0);
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
