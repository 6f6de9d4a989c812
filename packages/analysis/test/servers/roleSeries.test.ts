import { expect, test } from 'vitest';
import { createRunFromView } from '../../src/run/run.ts';
import { selectRoleSeries } from '../../src/servers/roleSeries.ts';
import { createCounter, createDocument, createGauge, createMetric, URL_B } from '../documents.ts';

/** A Dynamo frontend, and a vLLM engine on another endpoint. Both count requests in flight, output tokens and a queue. */
const RUN = createRunFromView(
  createDocument({
    dynamo_frontend_inflight_requests: createMetric('gauge', [createGauge(5)]),
    dynamo_request_queue: createMetric('gauge', [createGauge(1)]),
    dynamo_frontend_output_tokens: createMetric('counter', [createCounter(100)]),
    'vllm:num_requests_running': createMetric('gauge', [createGauge(4, { url: URL_B })]),
    'vllm:num_requests_waiting': createMetric('gauge', [createGauge(2, { url: URL_B })]),
    'vllm:generation_tokens': createMetric('counter', [createCounter(100, { url: URL_B })]),
  }),
);

test.each([
  ['running', ['vllm:num_requests_running']],
  ['outputTokens', ['dynamo_frontend_output_tokens']],
  ['waiting', ['dynamo_request_queue', 'vllm:num_requests_waiting']],
  ['kvCacheUsage', []],
] as const)('the role %s is measured by %j, so that no request counts twice', (role, expected) => {
  const names = selectRoleSeries(RUN, role).map(({ series }) => series.name);
  expect(names.sort()).toEqual([...expected]);
});
