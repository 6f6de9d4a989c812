import { expect, test } from 'vitest';
import type { PodEndpoint } from '../../../src/sources/kubernetes/podEndpoint.ts';
import { createPodTarget } from '../../../src/sources/kubernetes/podTarget.ts';
import { createPod, type PodProperties } from './pods.ts';

const ENDPOINT: PodEndpoint = { scheme: 'http', port: 8000, path: '/metrics', container: 'server' };

test('has the labels and the identity of the pod', () => {
  const pod = createPod({ labels: { app: 'vllm', 'llm-d.ai/role': 'prefill', other: 'x' } });
  expect(createPodTarget(pod, ENDPOINT)).toEqual({
    url: 'http://10.0.0.1:8000/metrics',
    alternatives: [],
    labels: {
      namespace: 'llm',
      pod: 'vllm-0',
      node: 'node-1',
      container: 'server',
      app: 'vllm',
      role: 'prefill',
    },
    identity: 'uid-vllm-0',
  });
});

test.each<[Record<string, string>, string | undefined]>([
  [
    { 'nvidia.com/dynamo-component-type': 'worker', 'nvidia.com/dynamo-sub-component-type': 'decode' },
    'decode',
  ],
  [{ 'app.kubernetes.io/component': 'router' }, 'router'],
  [{ role: 'a' }, 'a'],
  [{}, undefined],
])('the role of a pod with the labels %j is %s', (labels, role) => {
  expect(createPodTarget(createPod({ labels }), ENDPOINT).labels!.role).toBe(role);
});

test.each<[PodProperties, Partial<PodEndpoint>, string, boolean]>([
  [{ ip: 'fd00::1' }, {}, 'http://[fd00::1]:8000/metrics', false],
  [{}, { scheme: 'https', path: '/a?b=c' }, 'https://10.0.0.1:8000/a?b=c', true],
])('builds the URL of %j with %j', (pod, endpoint, url, isExact) => {
  const target = createPodTarget(createPod(pod), { ...ENDPOINT, ...endpoint });
  expect([target.url, target.isExact ?? false]).toEqual([url, isExact]);
});

test.each<[Partial<PodEndpoint>, string]>([
  [{}, 'https://api:6443/api/v1/namespaces/llm/pods/vllm-0:8000/proxy/metrics'],
  [{ scheme: 'https', path: '/a' }, 'https://api:6443/api/v1/namespaces/llm/pods/https:vllm-0:8000/proxy/a'],
])('builds the URL of the proxy with %j', (endpoint, url) => {
  const proxy = { server: 'https://api:6443', access: { timeoutMs: 1 } };
  expect(createPodTarget(createPod(), { ...ENDPOINT, ...endpoint }, proxy)).toMatchObject({
    url,
    access: { timeoutMs: 1 },
  });
});
