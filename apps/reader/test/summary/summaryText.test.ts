import { createRunFromView, type Finding } from '@org/analysis';
import { expect, test } from 'vitest';
import {
  createDocument,
  createGauge,
  createMetric,
  healthyInfo,
  URL_A,
  URL_B,
} from '../../../../packages/analysis/test/documents.ts';
import { createFindingDescriber, describeEndpoint } from '../../src/summary/summaryText.ts';

const vllm = { 'vllm:num_requests_running': createMetric('gauge', [createGauge(1)]) };
const sglang = { 'sglang:num_running_reqs': createMetric('gauge', [createGauge(1)]) };
const oneEndpoint = { [URL_A]: healthyInfo };
const twoEndpoints = { ...oneEndpoint, [URL_B]: healthyInfo };

const finding: Finding = {
  id: 'server-bottleneck',
  severity: 'warning',
  server: 'vLLM',
  title: 'a queue',
  advice: '',
  evidence: [{ endpoint: 'down:1', text: '3 waiting', numbers: {}, magnitude: 3 }],
};
const secondEvidence = { endpoint: 'localhost:8000', text: '2 waiting', numbers: {}, magnitude: 2 };

test.each([
  ['one endpoint', vllm, oneEndpoint, {}, 'a queue', '3 waiting'],
  ['several endpoints', vllm, twoEndpoints, {}, 'a queue', 'down:1: 3 waiting'],
  [
    'several places',
    vllm,
    oneEndpoint,
    { evidence: [...finding.evidence, secondEvidence] },
    'a queue',
    'down:1: 3 waiting (and 1 more)',
  ],
  ['several kinds of server', { ...vllm, ...sglang }, oneEndpoint, {}, 'vLLM: a queue', '3 waiting'],
  [
    'no kind of server',
    { ...vllm, ...sglang },
    twoEndpoints,
    { server: undefined },
    'a queue',
    'down:1: 3 waiting',
  ],
  [
    'the whole run',
    vllm,
    twoEndpoints,
    { evidence: [{ text: 'cut', numbers: {}, size: 0 }] },
    'a queue',
    'cut',
  ],
])(
  'names the endpoint and the server only if there are several: %s',
  (_, metrics, infos, change, title, text) => {
    const describe = createFindingDescriber(createRunFromView(createDocument(metrics, infos)));
    expect(describe({ ...finding, ...change } as Finding)).toEqual({ title, text });
  },
);

test.each<[string, object, string]>([
  ['that was removed', { status: 'removed', removed_ns: 1n }, 'removed during the run'],
  ['that was added', { added_ns: 1n }, 'added during the run'],
  [
    'that was removed before its first scrape',
    { status: 'removed', total_fetches: 0 },
    'removed before its first scrape',
  ],
])('describes an endpoint %s', (_, changes, text) => {
  const run = createRunFromView(createDocument(vllm, { [URL_A]: { ...healthyInfo, ...changes } }));
  expect(describeEndpoint(run.endpoints[0]!)).toContain(text);
});
