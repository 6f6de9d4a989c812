import type { ProfileExport } from '@org/formats';
import { describe, expect, test } from 'vitest';
import { findFindings, isFailureFinding } from '../../src/findings/findFindings.ts';
import type { Finding } from '../../src/findings/rule.ts';
import { createRun } from '../../src/run/run.ts';
import { createCounter, createDocument, createMetric, URL_B } from '../documents.ts';
import { HEALTHY_METRICS, type Metrics } from './runs.ts';

const count = (avg: number): object => ({ unit: 'requests', avg });
const cause = (type: string, code: number | string | null, message: string, requests: number): object => ({
  error_details: { type, code, message },
  count: requests,
});

/** Creates a profile export with these numbers of requests and causes of failures. */
function createProfile(
  succeeded: number,
  { failed = 0, cancelled = 0, causes = [] as readonly object[] } = {},
): ProfileExport {
  return {
    schema_version: '1.3',
    request_count: count(succeeded),
    ...(failed > 0 ? { error_request_count: count(failed) } : {}),
    ...(cancelled > 0 ? { cancelled_request_count: count(cancelled) } : {}),
    error_summary: causes,
  } as ProfileExport;
}

/** Returns the findings about failures of a run. */
function findFailures(metrics: Metrics, profile?: ProfileExport): Finding[] {
  const view = createDocument({ ...HEALTHY_METRICS, ...metrics });
  const run = createRun({ name: '', layout: 'json', files: {}, view, ...(profile ? { profile } : {}) });
  return findFindings(run).filter(isFailureFinding);
}

const describeAll = (findings: readonly Finding[]): string[] =>
  findings.flatMap(({ id, evidence }) => evidence.map(({ text }) => `${id}: ${text}`));

/** Creates a counter with a series for each value of a label. */
const createByLabel = (
  label: string,
  totals: Readonly<Record<string, number>>,
  others: object = {},
): object =>
  createMetric(
    'counter',
    Object.entries(totals).map(([value, total]) =>
      createCounter(total, { labels: { ...others, [label]: value } }),
    ),
  );

describe('failures of the client', () => {
  test('are a finding with their causes', () => {
    const causes = [
      cause('ConnectionReset', 'ECONNRESET', 'read ECONNRESET', 7),
      cause('HttpError', 503, 'HTTP status 503: overloaded', 30),
    ];
    const findings = findFailures({}, createProfile(63, { failed: 37, causes }));
    expect(findings[0]).toMatchObject({ id: 'failed-client-requests', severity: 'problem' });
    expect(describeAll(findings)).toEqual([
      'failed-client-requests: 37 of 100 requests (37%): 30 × HTTP 503: overloaded, 7 × ConnectionReset: read ECONNRESET',
    ]);
  });

  test('list each further cause once', () => {
    const causes = [1, 2, 3, 4, 5, 6].map(code =>
      cause('HttpError', 500 + code, `HTTP status 50${code}`, code),
    );
    expect(describeAll(findFailures({}, createProfile(0, { failed: 21, causes })))).toEqual([
      'failed-client-requests: 21 of 21 requests (100%): 6 × HTTP 506, 5 × HTTP 505, 4 × HTTP 504, 3 × HTTP 503',
      'failed-client-requests: 2 × HTTP 502',
      'failed-client-requests: 1 × HTTP 501',
    ]);
  });

  test('are the first finding, before advice on the load', () => {
    const causes = [cause('RequestTimeout', null, 'no complete response within 5 s', 1)];
    const view = createDocument({
      ...HEALTHY_METRICS,
      'vllm:num_preemptions': createMetric('counter', [createCounter(9)]),
    });
    const profile = createProfile(1, { failed: 1, causes });
    const [first] = findFindings(createRun({ name: '', layout: 'json', files: {}, view, profile }));
    expect(first!.id).toBe('failed-client-requests');
  });

  test('do not include cancelled requests', () => {
    expect(findFailures({}, createProfile(10, { cancelled: 90 }))).toEqual([]);
  });
});

describe('failures of the servers', () => {
  test.each<[string, Metrics, string[]]>([
    [
      'Dynamo',
      {
        dynamo_frontend_requests: createMetric('counter', [
          createCounter(90, { labels: { status: 'success', error_type: '' } }),
          createCounter(2, { labels: { status: 'error', error_type: 'overload' } }),
          createCounter(1, { labels: { status: 'error', error_type: 'internal' } }),
        ]),
      },
      ['failed-requests: 3 failed: 2 × overload, 1 × internal'],
    ],
    [
      'an older Dynamo without causes',
      { dynamo_frontend_requests: createByLabel('status', { success: 9, error: 4 }) },
      ['failed-requests: 4 failed: 4 × error'],
    ],
    [
      'vLLM',
      { 'vllm:request_success': createByLabel('finished_reason', { stop: 5, length: 6, error: 2 }) },
      ['failed-requests: 2 failed: 2 × error'],
    ],
    [
      'a series that was created in the run',
      {
        dynamo_frontend_requests: createMetric('counter', [
          createCounter(2, {
            labels: { status: 'error', error_type: 'overload' },
            stats: { total: 2, rate: 1, created_in_run: true, increase: 3, increase_rate: 0.15 },
          } as object),
        ]),
      },
      ['failed-requests: 3 failed: 3 × overload'],
    ],
    [
      'HTTP errors of vLLM',
      {
        http_requests: createMetric('counter', [
          createCounter(50, { labels: { handler: '/v1/chat/completions', status: '2xx' } }),
          createCounter(3, { labels: { handler: '/v1/chat/completions', status: '5xx' } }),
          createCounter(4, { labels: { handler: '/v1/completions', status: '4xx' } }),
          createCounter(9, { labels: { handler: '/metrics', status: '4xx' } }),
          createCounter(9, { labels: { handler: 'none', status: '4xx' } }),
        ]),
      },
      ['http-errors: 4 × 4xx, 3 × 5xx (http_requests)'],
    ],
    [
      'HTTP errors of other servers',
      {
        smg_http_responses: createByLabel('status_code', { 200: 5, 499: 7, 503: 2 }),
        envoy_cluster_upstream_rq_xx: createByLabel('envoy_response_code_class', { 2: 5, 5: 1 }),
      },
      ['http-errors: 2 × 503 (smg_http_responses)', 'http-errors: 1 × 5xx (envoy_cluster_upstream_rq_xx)'],
    ],
  ])('of %s are reported by cause', (_, metrics, expected) => {
    expect(describeAll(findFailures(metrics))).toEqual(expected);
  });
});

test.each([
  [
    'all of which the load generator received',
    30,
    '30 × 4xx (http_requests); the load generator received 30',
  ],
  ['most of which other clients received', 2, '30 × 4xx (http_requests); the load generator received 2'],
])('HTTP errors of a server, %s', (_, received, expected) => {
  const metrics = { http_requests: createByLabel('status', { '4xx': 30 }) };
  const causes = [
    cause('HttpError', 404, 'HTTP status 404: no such model', received),
    cause('ConnectionReset', 'ECONNRESET', 'read ECONNRESET', 5),
  ];
  const findings = findFailures(metrics, createProfile(50, { failed: received + 5, causes }));
  expect(describeAll(findings.filter(({ id }) => id === 'http-errors'))).toEqual([
    `http-errors: ${expected}`,
  ]);
});

describe('aborts that a server counted', () => {
  const aborts = (requests: number): Metrics => ({
    'vllm:request_success': createByLabel('finished_reason', { stop: 50, abort: requests }),
  });
  const timeouts = [cause('RequestTimeout', null, 'no complete response within 5 s', 2)];

  test.each<[string, Metrics, ProfileExport | undefined, string[]]>([
    ['cancellations of the client explain them', aborts(5), createProfile(50, { cancelled: 5 }), []],
    [
      'the client cancelled fewer requests',
      aborts(8),
      createProfile(50, { cancelled: 5 }),
      ['aborted-requests: vLLM counted 8 aborted requests; 5 were cancelled or timed out on the client'],
    ],
    [
      'timeouts of the client explain them',
      aborts(2),
      createProfile(50, { failed: 2, causes: timeouts }),
      [
        'failed-client-requests: 2 of 52 requests (3.85%): 2 × RequestTimeout: no complete response within 5 s',
      ],
    ],
    ['the client is unknown', aborts(1), undefined, ['aborted-requests: vLLM counted 1 aborted request']],
    [
      'Dynamo counts cancelled requests as errors',
      {
        dynamo_frontend_requests: createMetric('counter', [
          createCounter(6, { labels: { status: 'error', error_type: 'cancelled' } }),
        ]),
      },
      createProfile(50, { cancelled: 6 }),
      [],
    ],
    [
      'a worker of Dynamo cannot send the response of a cancelled request, which the frontend counts',
      {
        dynamo_frontend_requests: createMetric('counter', [
          createCounter(6, { labels: { status: 'error', error_type: 'cancelled' } }),
        ]),
        dynamo_component_errors: createMetric('counter', [
          createCounter(5, { labels: { error_type: 'publish_response' }, url: URL_B }),
        ]),
      },
      createProfile(50, { cancelled: 6 }),
      [],
    ],
    [
      'a worker of Dynamo without its frontend cannot send responses',
      { dynamo_component_errors: createByLabel('error_type', { publish_response: 5 }) },
      undefined,
      ['aborted-requests: Dynamo counted 5 aborted requests'],
    ],
  ])('%s', (_, metrics, profile, expected) => {
    expect(describeAll(findFailures(metrics, profile))).toEqual(expected);
  });
});
