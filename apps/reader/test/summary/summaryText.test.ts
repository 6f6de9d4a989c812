import { createRunFromView, type Finding } from '@org/analysis';
import { expect, test } from 'vitest';
import {
  document,
  gauge,
  healthyInfo,
  metric,
  URL_A,
  URL_B,
} from '../../../../packages/analysis/test/documents.ts';
import { createFindingDescriber } from '../../src/summary/summaryText.ts';

const vllm = { 'vllm:num_requests_running': metric('gauge', [gauge(1)]) };
const sglang = { 'sglang:num_running_reqs': metric('gauge', [gauge(1)]) };
const one = { [URL_A]: healthyInfo };
const two = { ...one, [URL_B]: healthyInfo };

const finding: Finding = {
  id: 'server-bottleneck',
  severity: 'warning',
  server: 'vLLM',
  title: 'a queue',
  advice: '',
  evidence: [{ endpoint: 'down:1', text: '3 waiting', numbers: {}, magnitude: 3 }],
};
const elsewhere = { endpoint: 'localhost:8000', text: '2 waiting', numbers: {}, magnitude: 2 };

test.each([
  ['one endpoint', vllm, one, {}, 'a queue', '3 waiting'],
  ['several endpoints', vllm, two, {}, 'a queue', 'down:1: 3 waiting'],
  [
    'several places',
    vllm,
    one,
    { evidence: [...finding.evidence, elsewhere] },
    'a queue',
    'down:1: 3 waiting (and 1 more)',
  ],
  ['several kinds of server', { ...vllm, ...sglang }, one, {}, 'vLLM: a queue', '3 waiting'],
  ['no kind of server', { ...vllm, ...sglang }, two, { server: undefined }, 'a queue', 'down:1: 3 waiting'],
  ['the whole run', vllm, two, { evidence: [{ text: 'cut', numbers: {}, size: 0 }] }, 'a queue', 'cut'],
])('adds the endpoint and the server: %s', (_, metrics, infos, change, title, text) => {
  const describe = createFindingDescriber(createRunFromView(document(metrics, infos)));
  expect(describe({ ...finding, ...change } as Finding)).toEqual({ title, text });
});
