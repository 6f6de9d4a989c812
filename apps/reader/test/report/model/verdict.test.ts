import { createRun, createRunFromView, findFindings, type Run } from '@org/analysis';
import { expect, test } from 'vitest';
import {
  createDocument,
  createGauge,
  createMetric,
  downInfo,
  healthyInfo,
  SECOND_NS,
  START_NS,
  URL_A,
  URL_B,
} from '../../../../../packages/analysis/test/documents.ts';
import { buildVerdict, type Verdict } from '../../../src/report/model/verdict.ts';

const RUNNING = { 'vllm:num_requests_running': createMetric('gauge', [createGauge(1, { slices: [1, 1] })]) };

/** Creates a run with a client export of these metrics. */
function createClientRun(metrics: object): Run {
  const view = createDocument(RUNNING, { [URL_A]: healthyInfo });
  const profile = { schema_version: '1.3', ...metrics } as unknown as NonNullable<
    Parameters<typeof createRun>[0]['profile']
  >;
  return createRun({ name: 'run', layout: 'json', files: {}, view, profile });
}

function judge(run: Run, maxima: Parameters<typeof buildVerdict>[2] = {}): Verdict {
  return buildVerdict(run, findFindings(run), maxima);
}

test('says that nothing is wrong, with the figures of client and server', () => {
  const run = createClientRun({
    request_count: { unit: 'requests', avg: 744 },
    good_request_fraction: { unit: 'ratio', avg: 0.995 },
    time_to_first_token: { unit: 'ms', avg: 50, p50: 42.19, p99: 441 },
  });
  expect(judge(run, { waiting: 1.5, kvCache: 4.4 })).toEqual({
    tone: 'good',
    sentence: 'no server failed, and none was at a limit.',
    facts:
      'all 744 requests succeeded, and 99.5% of them were within the limits; half of the successful requests had their first token within 42.2 ms, 99% within 441 ms; up to 2 requests waited in the server; the KV cache was at most 4.4% full',
  });
});

test.each([
  [
    'names the latencies over their limits',
    441,
    '6% of the requests were not within the limits: time to first token over 150 ms.',
  ],
  ['names no latency whose p99 is within its limit', 149, '6% of the requests were not within the limits.'],
])('of missed limits, %s', (_, p99, sentence) => {
  const run = createClientRun({
    good_request_fraction: { unit: 'ratio', avg: 0.94 },
    time_to_first_token: { unit: 'ms', avg: 50, p50: 42, p99 },
    inter_token_latency: { unit: 'ms', avg: 8, p50: 8, p99: 9 },
  });
  const limits = new Map([
    ['time_to_first_token', 150],
    ['inter_token_latency', 15],
  ]);
  expect(buildVerdict(run, [], {}, limits)).toMatchObject({ tone: 'warning', sentence });
  const [problem] = findFindings(createRunFromView(createDocument(RUNNING, { [URL_A]: downInfo })));
  expect(buildVerdict(run, [problem!], {}, limits).sentence).not.toBe(sentence);
});

test.each([
  ['a lost worker', { count: 0 }, 'Client measurements may be unreliable: late.', 2],
  ['a delay of half the latency', { share: 0.5 }, 'Client measurements may be unreliable: late.', 2],
  ['a smaller delay', { share: 0.49 }, 'No server failed', undefined],
])(
  'says first whether the measurements of the client can be trusted: %s',
  (_, numbers, sentence, finding) => {
    const run = createRunFromView(createDocument(RUNNING, { [URL_A]: healthyInfo }));
    const common = { severity: 'warning', advice: '', about: 'run' } as const;
    const findings = [
      {
        ...common,
        id: 'wide-bounds',
        title: 'percentile with wide bounds',
        evidence: [{ text: 'p50', numbers: {} }],
      },
      {
        ...common,
        id: 'client-overload',
        title: 'client measurements may be unreliable',
        evidence: [{ text: 'late', numbers }],
      },
    ] as unknown as Parameters<typeof buildVerdict>[1];
    const verdict = buildVerdict(run, findings, {});
    expect(verdict.sentence.toLowerCase()).toContain(sentence.toLowerCase());
    expect(verdict.finding).toBe(finding);
  },
);

test.each([
  [
    'shorter',
    40,
    '6% of the requests were not within the limits: time to first token over 150 ms.',
    undefined,
  ],
  ['longer', 300, 'Client measurements may be unreliable: the event loop was late.', 1],
])('a delay of the client that is %s than the excess over a limit', (_, delay, sentence, finding) => {
  const run = createClientRun({
    good_request_fraction: { unit: 'ratio', avg: 0.94 },
    time_to_first_token: { unit: 'ms', avg: 50, p50: 42, p99: 441 },
  });
  const evidence = [
    { text: 'the event loop was late', numbers: { share: 0.9, delay_ms: delay }, magnitude: 1 },
  ];
  const findings = [
    {
      id: 'client-overload',
      title: 'client measurements may be unreliable',
      severity: 'warning',
      advice: '',
      evidence,
    },
  ] as unknown as Parameters<typeof buildVerdict>[1];
  const verdict = buildVerdict(run, findings, {}, new Map([['time_to_first_token', 150]]));
  expect(verdict).toMatchObject({ sentence });
  expect(verdict.finding).toBe(finding);
});

test('names what limited the load after missed limits', () => {
  const run = createClientRun({ good_request_fraction: { unit: 'ratio', avg: 0.94 } });
  const findings = [
    {
      id: 'tail-latency',
      title: 'p99 latency is much higher than p50',
      severity: 'warning',
      advice: '',
      evidence: [
        { text: 'p50 16 ms, p99 (of 600 requests) 536 ms; up to 9 waiting', numbers: {}, magnitude: 1 },
      ],
    },
  ] as unknown as Parameters<typeof buildVerdict>[1];
  expect(buildVerdict(run, findings, {})).toMatchObject({
    sentence: '6% of the requests were not within the limits. P99 latency is much higher than p50.',
    finding: 1,
  });
});

test.each([
  [
    'the only error',
    [
      {
        count: 649,
        error_details: { type: 'ConnectionRefused', message: 'connect ECONNREFUSED 127.0.0.1:8000' },
      },
    ],
    'with the error "connect ECONNREFUSED 127.0.0.1:8000".',
  ],
  [
    'the most frequent of several errors',
    [
      { count: 49, error_details: { type: 'HttpError', code: 503, message: 'busy' } },
      { count: 600, error_details: { type: 'HttpError', code: 500, message: `broken ${'x'.repeat(200)}` } },
    ],
    `most of them with the error "broken ${'x'.repeat(72)}…".`,
  ],
  [
    'an error without a message',
    [{ count: 649, error_details: { type: 'HttpError', code: 503, message: '' } }],
    'with the error "HttpError 503".',
  ],
])('names the cause of failed requests: %s', (_, errors, cause) => {
  const run = createClientRun({
    request_count: { unit: 'requests', avg: 0 },
    error_request_count: { unit: 'requests', avg: 649 },
    error_summary: errors,
  });
  const { tone, sentence, facts } = judge(run);
  expect([tone, facts]).toEqual(['problem', '0 of 649 requests succeeded']);
  expect(sentence).toBe(`Requests failed: 649 of 649 requests, ${cause}`);
});

test('names the server that died, and how many there are', () => {
  const died = {
    ...downInfo,
    total_fetches: 20,
    first_fetch_ns: START_NS,
    last_fetch_ns: START_NS + 5n * SECOND_NS,
    first_failure_ns: START_NS + 6n * SECOND_NS,
    last_failure_ns: START_NS + 19n * SECOND_NS,
    status: 'failing',
    last_error: 'refused the connection',
    last_error_reason: 'refused',
  };
  const verdict = judge(createRunFromView(createDocument(RUNNING, { [URL_A]: healthyInfo, [URL_B]: died })));
  expect(verdict.tone).toBe('problem');
  expect(verdict.sentence).toMatch(
    /^Server down \(1 of 2\): down:1 stopped responding after [\d.]+ s and did not recover\.$/,
  );
  expect(verdict.finding).toBe(1);
});

test('names the overload before a death at the end of a run as well', () => {
  const run = createRunFromView(createDocument(RUNNING, { [URL_A]: healthyInfo }));
  const createFinding = (id: string, title: string, text: string): object => ({
    id,
    title,
    severity: 'problem',
    advice: '',
    evidence: [{ text, numbers: {}, magnitude: 1 }],
  });
  const findings = [
    createFinding('dead-server', 'server down', 'localhost:8000 stopped responding after 29 s'),
    createFinding('full-kv-cache', 'KV cache full', 'up to 256 waiting'),
  ] as unknown as Parameters<typeof buildVerdict>[1];
  expect(buildVerdict(run, findings, {}).sentence).toBe(
    'Server down: localhost:8000 stopped responding after 29 s. KV cache full: up to 256 waiting.',
  );
});

test('does not hide a warning behind a good verdict', () => {
  const run = createRunFromView(createDocument(RUNNING, { [URL_A]: healthyInfo }));
  const findings = [
    {
      id: 'client-overload',
      title: 'client measurements may be unreliable',
      severity: 'warning',
      advice: '',
      evidence: [{ text: 'late', numbers: { share: 0.2 }, magnitude: 1 }],
    },
  ] as unknown as Parameters<typeof buildVerdict>[1];
  expect(buildVerdict(run, findings, {})).toMatchObject({
    tone: 'good',
    sentence: 'no server failed, and none was at a limit. Warning: client measurements may be unreliable.',
  });
});

test('names the limit of requests, if there is one', () => {
  const run = createClientRun({
    request_count: { unit: 'requests', avg: 100 },
    good_request_fraction: { unit: 'ratio', avg: 1 },
  });
  const verdict = buildVerdict(run, [], {}, new Map([['time_to_first_token', 300]]));
  expect(verdict.facts).toContain('all had a time to first token of at most 300 ms');
});

test('says nothing about requests if there is no client, and nothing about a queue that was not measured', () => {
  expect(judge(createRunFromView(createDocument(RUNNING, { [URL_A]: healthyInfo }))).facts).toBe('');
});

test('says that no request was seen waiting, because a short queue between two scrapes is not seen', () => {
  const run = createRunFromView(createDocument(RUNNING, { [URL_A]: healthyInfo }));
  expect(judge(run, { waiting: 0 }).facts).toBe('no request was seen waiting in the server');
});

test('says nothing about servers that were not measured', () => {
  const run = createRun({
    name: 'run',
    layout: 'none',
    files: {},
    view: createDocument({ other_metric: createMetric('gauge', [createGauge(1)]) }, { [URL_A]: healthyInfo }),
  });
  expect(judge(run)).toMatchObject({
    tone: 'unknown',
    sentence: expect.stringMatching(/nothing is known about the servers\.$/),
  });
});
