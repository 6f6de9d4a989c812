import type { EndpointState, LiveLatency, LiveLevel, LiveState } from '@org/live';
import type { Message } from '../../src/dashboard/messages.ts';

const level = (scale: number, shape: (i: number) => number = i => 1 + Math.sin(i / 4) / 2): LiveLevel => {
  const points = Array.from({ length: 60 }, (_, i) => scale * shape(i));
  return { now: points.at(-1), points };
};

const latency = (p50: number, p99: number): LiveLatency => {
  const quantiles = { count: 500, p50, p90: (p50 + p99) / 2, p95: 0.9 * p99, p99 };
  const { now, points } = level(p50);
  return { now, points, recent: quantiles, total: { ...quantiles, p99: 1.1 * p99 } };
};

const UNKNOWN_LEVEL: LiveLevel = { now: undefined, points: [null, null] };
const UNKNOWN_LATENCY: LiveLatency = { ...UNKNOWN_LEVEL, recent: undefined, total: undefined };

const endpoint: EndpointState = {
  host: 'localhost:8000',
  servers: ['vLLM'],
  isCurrent: true,
  ageSeconds: 0.2,
  failedScrapes: 0,
  lateScrapes: 0,
  running: 9,
  waiting: 2,
  kvCache: 0.412,
  requests: 11.9,
};

/** A run that sends requests, with limits: one is met. */
export const ACTIVE: LiveState = {
  stage: { name: 'profiling', seconds: 44, fraction: 0.73, remainingSeconds: 16 },
  client: {
    requests: level(12),
    outputTokens: level(1676),
    inFlight: { now: 12, points: level(12).points },
    timeToFirstToken: latency(42, 441),
    interTokenLatency: latency(7.9, 16.4),
    requestLatency: latency(501, 948),
    planned: undefined,
    sent: 544,
    succeeded: 530,
    failed: 2,
    cancelled: 0,
    goodShare: 0.9438,
    limits: [
      { tag: 'time_to_first_token', limit: 200, moreIsBetter: false },
      { tag: 'request_latency', limit: 1000, moreIsBetter: false },
    ],
  },
  server: {
    requests: level(11.9),
    outputTokens: level(1650),
    promptTokens: level(3230),
    running: { now: 9, points: level(9).points },
    maxRunning: 128,
    waiting: { now: 2, points: level(1, i => (i % 9 === 0 ? 2 : 0)).points },
    kvCache: level(0.41),
    timeToFirstToken: latency(38, 410),
    interTokenLatency: latency(7.8, 15.9),
    requestLatency: latency(488, 930),
    cacheHitShare: 0.123,
    preemptions: 0,
    failures: 2,
  },
  endpoints: [endpoint],
  unresponsive: undefined,
};

/** A run without a client, whose server does not respond. */
export const DEAD_SERVER: LiveState = {
  stage: { name: 'profiling', seconds: 130, fraction: undefined, remainingSeconds: undefined },
  client: undefined,
  server: {
    requests: UNKNOWN_LEVEL,
    outputTokens: UNKNOWN_LEVEL,
    promptTokens: UNKNOWN_LEVEL,
    running: UNKNOWN_LEVEL,
    maxRunning: undefined,
    waiting: UNKNOWN_LEVEL,
    kvCache: UNKNOWN_LEVEL,
    timeToFirstToken: UNKNOWN_LATENCY,
    interTokenLatency: UNKNOWN_LATENCY,
    requestLatency: UNKNOWN_LATENCY,
    cacheHitShare: undefined,
    preemptions: undefined,
    failures: undefined,
  },
  endpoints: [
    {
      ...endpoint,
      isCurrent: false,
      ageSeconds: 12,
      running: undefined,
      waiting: undefined,
      kvCache: undefined,
      requests: undefined,
    },
  ],
  unresponsive: 'localhost:8000 does not respond (12 s)',
};

/** A run with more endpoints than a screen has lines. */
export const MANY_ENDPOINTS: LiveState = {
  ...ACTIVE,
  endpoints: Array.from({ length: 60 }, (_, i) => ({
    ...endpoint,
    host: `node-${i}.cluster.example:8000`,
    isCurrent: i !== 33,
    running: i,
  })),
};

/** Log messages; one is hostile, one is long, one is wide. */
export const MESSAGES: readonly Message[] = [
  { level: 'info', text: 'Server metrics enabled - 1/1 endpoint reachable', seconds: 0 },
  { level: 'warning', text: "endpoint 'http://localhost:8000/metrics' \u001b[2Jrefused", seconds: 16 },
  { level: 'info', text: `mark by k6: ${'long '.repeat(60)}`, seconds: 18 },
  { level: 'error', text: '请求失败 '.repeat(30), seconds: 40 },
];
