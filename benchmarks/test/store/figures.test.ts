import { expect, test } from 'vitest';
import { computeNsPerSample, toFillFigures, toScrapingFigures } from '../../src/store/figures.ts';

test('divides the cost of storing frames by the samples', () => {
  const cost = {
    samples: 1e6,
    appendCpuS: 0.021,
    appendWallS: 0.03,
    heldBytes: 551_234,
    rssMb: 187.4,
    baseRssMb: 92.6,
    peakRssMb: 190,
  };
  expect(toFillFigures(cost)).toEqual({
    samples: 1e6,
    bytes_per_sample: 0.551,
    append_ns: 21,
    append_wall_ns: 30,
    rss_mb: 187,
    base_rss_mb: 93,
    peak_rss_mb: 190,
  });
});

test('divides the cost of scraping by the samples of the second half', () => {
  const cost = {
    samples: 2e6,
    failedScrapes: 0,
    lateScrapes: 0,
    baseRssMb: 77,
    rssMb: 152,
    peakRssMb: 160,
    secondHalf: { samples: 1e6, cpuS: 1.337 },
    heldBytes: 0,
  };
  expect(computeNsPerSample(cost)).toBeCloseTo(1337, 6);
  expect(toScrapingFigures({ endpoints: 10, seconds: 40 }, cost)).toEqual({
    endpoints: 10,
    seconds: 40,
    samples: 2e6,
    rss_mb: 152,
    base_rss_mb: 77,
    peak_rss_mb: 160,
    late_cpu_s: 1.34,
    late_cpu_ns_per_sample: 1337,
  });
});
