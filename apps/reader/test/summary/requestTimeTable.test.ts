import type { RequestTime } from '@org/analysis';
import { expect, test } from 'vitest';
import { createScreen } from '../../src/screen.ts';
import { renderRequestTime } from '../../src/summary/requestTimeTable.ts';

const TIME: RequestTime = {
  servers: ['vLLM'],
  requests: 100,
  meanMs: 1010,
  stages: [
    { stage: 'outside', meanMs: 10, share: 0.0099, slices: [] },
    {
      stage: 'queue',
      meanMs: 200,
      share: 0.198,
      p50: { valueMs: 150 },
      p99: { valueMs: 700, boundsMs: [500, 1000] },
      slices: [],
    },
    {
      stage: 'decode',
      meanMs: 800,
      share: 0.7921,
      p50: { valueMs: 0, boundsMs: [0, 25] },
      p99: { valueMs: 90_000, boundsMs: [60_000, null] },
      slices: [],
    },
  ],
  unknown: [],
};

const SCREEN = createScreen({ width: 80, color: false });

test('shows the mean, share and percentiles of each stage, with bounds or only the bounds', () => {
  expect(renderRequestTime(TIME, SCREEN, 40)).toEqual([
    '',
    ' Time of a request               mean   share       p50             p99 (bounds)',
    ' outside of the servers         10 ms    1.0%',
    ' queue                         200 ms   19.8%    150 ms      700 ms (500 ms–1 s)',
    ' decode                        800 ms   79.2%    ≤25 ms                   60 s–∞',
    ' request                       1.01 s  100.0%',
    ' means add up, percentiles do not',
  ]);
});

test('shows stages over time where the screen is wide enough, and the percentiles of the request', () => {
  const slices = [1, 2, 4].map((meanMs, i) => ({ startNs: BigInt(i) * 2_000_000_000n, meanMs }));
  const [outside, ...stages] = TIME.stages;
  const time = {
    ...TIME,
    p50: { valueMs: 950 },
    p99: { valueMs: 2500 },
    stages: [outside!, ...stages.map(stage => ({ ...stage, slices }))],
  };
  expect(renderRequestTime(time, createScreen({ width: 100, color: false }), 40).slice(1, 6)).toEqual([
    ' Time of a request               mean   share       p50             p99 (bounds) over time',
    ' outside of the servers         10 ms    1.0%',
    ' queue                         200 ms   19.8%    150 ms      700 ms (500 ms–1 s) ▂▄█',
    ' decode                        800 ms   79.2%    ≤25 ms                   60 s–∞ ▂▄█',
    ' request                       1.01 s  100.0%    950 ms                    2.5 s',
  ]);
});

test('says what is not known', () => {
  const unknown = ['queue: measured for 80 requests, the whole request for 100'];
  expect(renderRequestTime({ ...TIME, unknown }, SCREEN, 40).at(-1)).toBe(` not known: ${unknown[0]}`);
});

test.each([
  ['a sentence', 13, 80, 3],
  ['a sentence on a narrow screen', 40, 60, 3],
  ['nothing', 1, 80, 0],
])('without space: %s', (_, freeLines, width, lines) => {
  const text = renderRequestTime(TIME, createScreen({ width, color: false }), freeLines);
  expect(text).toHaveLength(lines);
  for (const line of text) expect(line.length).toBeLessThanOrEqual(width);
  if (lines > 0) expect(text[1]).toMatch(/^ Request 1\.01 s: outside of the servers 10 ms/);
});
