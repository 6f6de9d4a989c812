import { describe, expect, test } from 'vitest';
import { type LoadSample, SaturationRule } from '../../src/saturation/saturationRule.ts';
import { runSimulatedLoad } from './simulatedLoad.ts';

/** Requests per second that the simulated server can process; measured with a load of 60 requests per second. */
const CAPACITY = 6.89;

/** Samples of a load of 10 requests per second. */
function createSamples(
  seconds: number,
  read: (second: number) => Partial<LoadSample>,
  latency: (second: number) => number = () => 0.1,
): LoadSample[] {
  return Array.from({ length: seconds }, (_, index) => {
    const second = index + 1;
    return {
      seconds: second,
      sent: 10 * second,
      outstanding: 5,
      waiting: undefined,
      latency: latency(second),
      longestLatency: latency(second),
      ...read(second),
    };
  });
}

function findEvidence(samples: readonly LoadSample[], options = {}) {
  const rule = new SaturationRule({ rate: 10, ...options });
  for (const sample of samples) {
    const evidence = rule.add(sample);
    if (evidence) return evidence;
  }
  return undefined;
}

describe('ends a load', () => {
  test.each([
    ['whose queue grows by 5 requests per second', 5, 31],
    ['whose queue grows by 2 requests per second, later', 2, 92],
  ])('%s', (_, growth, seconds) => {
    const samples = createSamples(200, second => ({
      waiting: growth * second,
      outstanding: growth * second + 5,
    }));
    expect(findEvidence(samples)).toMatchObject({ signal: 'server_queue', seconds });
  });

  test('whose queue grows, although the busy server does not respond to every scrape', () => {
    const samples = createSamples(200, second => ({
      waiting: second % 3 === 0 ? undefined : 5 * second,
      outstanding: 5 * second,
    }));
    const evidence = findEvidence(samples)!;
    expect(evidence).toMatchObject({ signal: 'server_queue' });
    expect(evidence.seconds).toBeLessThan(40);
  });

  test('whose outstanding requests and latencies grow, if no server reports a queue', () => {
    const samples = createSamples(
      300,
      second => ({ outstanding: 4 * second, longestLatency: 0.4 * second }),
      second => 0.4 * second,
    );
    const evidence = findEvidence(samples)!;
    expect(evidence).toMatchObject({ signal: 'client', growth: { perSecond: 4 } });
    expect(evidence.latencyGrowth!.perSecond).toBeCloseTo(0.4, 1);
  });

  test('after the ramp of its rate', () => {
    const samples = createSamples(200, second => ({ waiting: 5 * second, outstanding: 5 * second }));
    expect(findEvidence(samples, { startSeconds: 50 })).toMatchObject({ seconds: 80, windowSeconds: 30 });
  });

  test('with a shorter window', () => {
    const samples = createSamples(200, second => ({ waiting: 8 * second, outstanding: 8 * second }));
    expect(findEvidence(samples, { minSeconds: 10 })!.seconds).toBeLessThan(20);
  });
});

describe('does not end a load', () => {
  test.each<[string, LoadSample[]]>([
    ['without a queue', createSamples(300, () => ({ waiting: 0 }))],
    ['with a queue of constant length', createSamples(300, () => ({ waiting: 50, outstanding: 55 }))],
    [
      'whose queue becomes empty every 20 seconds',
      createSamples(300, second => ({ waiting: 5 * (second % 20), outstanding: 5 * (second % 20) })),
    ],
    [
      'whose queue jumps once, as after an outage of an endpoint',
      createSamples(300, second => {
        const waiting = second < 100 ? 1 : 200;
        return { waiting, outstanding: waiting };
      }),
    ],
    [
      'with a burst of arrivals for 60 seconds that the servers process later',
      createSamples(300, second => {
        const burst = 10 * Math.max(0, Math.min(60, second - 100));
        return { sent: 10 * second + burst, waiting: burst, outstanding: burst };
      }),
    ],
    [
      'whose first requests take 100 seconds, so that outstanding requests grow at first',
      createSamples(300, second => ({ outstanding: 10 * Math.min(100, second), longestLatency: 100 })),
    ],
    [
      'whose outstanding requests grow, but not the time to first token',
      createSamples(300, second => ({ outstanding: 4 * second })),
    ],
    [
      'whose queue is unknown for 12 of 20 seconds, so that it may have been empty',
      createSamples(300, second => ({
        waiting: second % 20 < 8 ? 5 * second : undefined,
        outstanding: 5 * second,
      })),
    ],
    [
      'that ends before the window',
      createSamples(29, second => ({ waiting: 9 * second, outstanding: 9 * second })),
    ],
  ])('%s', (_, samples) => {
    expect(findEvidence(samples)).toBeUndefined();
  });
});

describe('in simulated loads with random arrivals', () => {
  const SEEDS = [1, 2, 3, 4, 5, 6];

  test.each([
    ['server_queue', true],
    ['client', false],
  ] as const)('ends none at 70%, 90% and 95%% of the capacity for 20 minutes (%s)', (_, reportsQueue) => {
    for (const share of [0.7, 0.9, 0.95])
      for (const seed of SEEDS)
        expect(
          runSimulatedLoad({ rate: share * CAPACITY, seed, seconds: 1200, reportsQueue }),
          `${share} of the capacity, seed ${seed}`,
        ).toBeUndefined();
  });

  test.each([
    ['with', true, 120],
    ['without', false, 240],
  ] as const)('ends all at 150%% of the capacity (%s queues)', (_, reportsQueue, seconds) => {
    for (const seed of SEEDS) {
      const evidence = runSimulatedLoad({ rate: 1.5 * CAPACITY, seed, seconds, reportsQueue })!;
      expect(evidence.growth.low).toBeGreaterThan(0);
      expect(evidence.growth.high).toBeGreaterThan(0.5 * CAPACITY);
    }
  });

  test('the queues of the servers show it earlier than the latencies', () => {
    const times = [true, false].map(reportsQueue =>
      SEEDS.map(
        seed => runSimulatedLoad({ rate: 1.5 * CAPACITY, seed, seconds: 600, reportsQueue })!.seconds,
      ),
    );
    const [byQueue, byLatency] = times.map(all => all.reduce((sum, seconds) => sum + seconds, 0));
    expect(byQueue).toBeLessThan(0.8 * byLatency!);
  });
});
