import { expect, it } from 'vitest';
import { formatTargetKey } from '../../src/api/metadata.ts';
import { createEndpointUrl } from '../../src/endpoint/endpointUrls.ts';

const TARGETS = new Map([
  [
    formatTargetKey('vllm', 'a:80'),
    { url: 'http://user:pass@10.0.0.1:80/prometheus?token=x', labels: new Map() },
  ],
]);

it.each([
  ['vllm', 'a:80', [], 'http://10.0.0.1:80/prometheus?token=REDACTED'],
  ['vllm', 'b:8000', [], 'http://b:8000/metrics'],
  ['vllm', 'https://c/metrics', [], 'https://c/metrics'],
  ['vllm', '', [], 'http://vllm.invalid/metrics'],
  ['', '', [], 'http://unknown.invalid/metrics'],
  ['vllm', 'not a host', [], 'http://not%20a%20host/metrics'],
  ['node exporter', 'b:8000', ['http://b:8000/metrics'], 'http://b:8000/metrics#node%20exporter'],
  ['x', 'b:8000', ['http://b:8000/metrics', 'http://b:8000/metrics#x'], 'http://b:8000/metrics#x-2'],
])('the URL of job %j and instance %j, with %j in use, is %s', (job, instance, used, url) => {
  expect(createEndpointUrl(job, instance, TARGETS, new Set(used))).toBe(url);
});
