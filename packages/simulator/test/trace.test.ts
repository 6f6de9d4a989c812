import { describe, expect, test } from 'vitest';
import { simulateTrace, type TraceOptions, type TraceScrape } from '../src/trace.ts';
import { readExposition, readSampleValue } from './support/exposition.ts';

test('yields a scrape per interval, from start to end', () => {
  const scrapes = [...simulateTrace({ seed: 1, durationS: 10, intervalMs: 250 })];
  expect(scrapes).toHaveLength(41);
  const gaps = scrapes.slice(1).map(({ timestampNs }, i) => timestampNs - scrapes[i]!.timestampNs);
  expect(new Set(gaps)).toEqual(new Set([250_000_000n]));
  for (const { body } of scrapes.slice(0, 3)) readExposition(body);
});

describe('the truth between two scrapes equals the difference of their bodies', () => {
  const trace = simulateTrace({ seed: 3, durationS: 20, load: 'ramp', engines: 2 });
  const scrapes = [...trace];
  test.each([
    [-1, 0],
    [-1, 60],
    [10, 11],
    [20, 45],
    [45, 45],
  ])('after scrape %d, up to scrape %d', (after, upTo) => {
    const from = after < 0 ? undefined : readExposition(scrapes[after]!.body);
    const to = readExposition(scrapes[upTo]!.body);
    for (const { name, labels, values } of trace.getTruth(after, upTo).histograms) {
      const labelValues = Object.fromEntries(labels);
      const computeChange = (part: string): number => {
        return (
          readSampleValue(to, name + part, labelValues) -
          (from ? readSampleValue(from, name + part, labelValues) : 0)
        );
      };
      if (!to.get(name)?.samples.length) continue;
      expect(computeChange('_count'), name).toBe(values.length);
      expect(computeChange('_sum'), name).toBeCloseTo(
        values.reduce((sum, value) => sum + value, 0),
        6,
      );
    }
  });

  test('throws for a scrape that was not read', () => {
    expect(() => trace.getTruth(0, 61)).toThrow('scrape 61 has not been read; 61 scrapes have been read');
  });
});

describe('the load', () => {
  const run = (load: NonNullable<TraceOptions['load']>) => {
    const trace = simulateTrace({ seed: 2, durationS: 40, load });
    const waiting: number[] = [];
    const running: number[] = [];
    for (const { body } of trace) {
      const families = readExposition(body);
      waiting.push(readSampleValue(families, 'vllm:num_requests_waiting'));
      running.push(readSampleValue(families, 'vllm:num_requests_running'));
    }
    return {
      waiting,
      running,
      preemptions: trace.getTruth().requests.reduce((sum, request) => sum + request.preemptions, 0),
    };
  };
  const computeMean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length;

  test('ramp increases the number of running requests', () => {
    const { running } = run('ramp');
    expect(computeMean(running.slice(-20))).toBeGreaterThan(5 * computeMean(running.slice(0, 20)));
  });

  test('steady keeps the queue short and the batch size constant', () => {
    const { waiting, running } = run('steady');
    expect(Math.max(...waiting)).toBeLessThan(20);
    expect(computeMean(running.slice(-40)) / computeMean(running.slice(40, 80))).toBeCloseTo(1, 0);
  });

  test('overload fills the queue and causes preemptions', () => {
    const { waiting, preemptions } = run('overload');
    expect(waiting.at(-1)!).toBeGreaterThan(300);
    expect(preemptions).toBeGreaterThan(50);
  });

  test('idle-tail ends without running requests', () => {
    const { running } = run('idle-tail');
    expect(computeMean(running.slice(30, 60))).toBeGreaterThan(10);
    expect(running.slice(-20)).toEqual(Array(20).fill(0));
  });
});

test('the body of a server with three engines is larger than 110 KB', () => {
  const [scrape] = simulateTrace({ seed: 1, durationS: 1, engines: 3 }) as Iterable<TraceScrape>;
  const samples = scrape!.body.split('\n').filter(line => line !== '' && !line.startsWith('#'));
  expect(samples.length).toBeGreaterThan(1050);
  expect(scrape!.body.length).toBeGreaterThan(110_000);
});

test.each([
  [{ durationS: 0 }, 'invalid durationS 0'],
  [{ durationS: 1, intervalMs: -1 }, 'invalid intervalMs -1'],
])('rejects %j', (options, message) => {
  expect(() => simulateTrace(options)).toThrow(message);
});
