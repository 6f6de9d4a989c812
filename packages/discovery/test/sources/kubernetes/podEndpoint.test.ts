import { expect, test } from 'vitest';
import {
  isSelectedPod,
  listPodEndpoints,
  type PodRules,
} from '../../../src/sources/kubernetes/podEndpoint.ts';
import { createPod, type PodProperties } from './pods.ts';

const DEFAULT_RULES: PodRules = { hasSelector: false, acceptsAnnotation: false };
const withImage = (image: string): PodProperties => ({ containers: [{ name: 'c', image }] });

test.each<[string, PodProperties, Partial<PodRules>, boolean]>([
  ['the label of Dynamo', { ...withImage('x'), labels: { 'nvidia.com/metrics-enabled': 'True' } }, {}, true],
  [
    'the label with another value',
    { ...withImage('x'), labels: { 'nvidia.com/metrics-enabled': 'no' } },
    {},
    false,
  ],
  [
    'paths of AIPerf',
    { ...withImage('x'), annotations: { 'aiperf.nvidia.com/metrics-paths': '/a' } },
    {},
    true,
  ],
  [
    'only prometheus.io/scrape',
    { ...withImage('x'), annotations: { 'prometheus.io/scrape': 'true' } },
    {},
    false,
  ],
  [
    'only prometheus.io/scrape, with the flag',
    { ...withImage('x'), annotations: { 'prometheus.io/scrape': 'true' } },
    { acceptsAnnotation: true },
    true,
  ],
  [
    'prometheus.io/scrape: false, with the flag',
    { ...withImage('x'), annotations: { 'prometheus.io/scrape': 'false' } },
    { acceptsAnnotation: true },
    false,
  ],
  ['a selector of the user', withImage('x'), { hasSelector: true }, true],
  ['nothing', withImage('nginx'), {}, false],
])('a pod with %s', (_, pod, rules, expected) => {
  expect(isSelectedPod(createPod(pod), { ...DEFAULT_RULES, ...rules })).toBe(expected);
});

test.each([
  ['vllm/vllm-openai:v0.11', true],
  ['registry.io:5000/team/sglang@sha256:abc', true],
  ['nvcr.io/nvidia/tritonserver:25.01', true],
  ['nvcr.io/nvidia/tensorrt-llm/release', true],
  ['nvcr.io/nvidia/ai-dynamo/vllm-runtime', true],
  ['Docker.io/TRTLLM', true],
  ['postgres:16', false],
  ['vllm.example.com/nginx:1', false],
  ['app:vllm', false],
  ['', false],
])('the image %j is an inference server: %s', (image, expected) => {
  expect(isSelectedPod(createPod(withImage(image)), DEFAULT_RULES)).toBe(expected);
});

const PORTS: PodProperties = {
  containers: [
    { name: 'a', ports: [{ containerPort: 53, protocol: 'UDP' }, { containerPort: 1 }] },
    {
      name: 'b',
      ports: [
        { name: 'http', containerPort: 2 },
        { name: 'metrics', containerPort: 3 },
      ],
    },
  ],
};

test.each<[PodProperties, unknown[]]>([
  [PORTS, [{ scheme: 'http', port: 3, container: 'b', path: '/metrics' }]],
  [
    { ...PORTS, annotations: { 'prometheus.io/port': '2', 'prometheus.io/scheme': 'HTTPS' } },
    [{ scheme: 'https', port: 2, container: 'b', path: '/metrics' }],
  ],
  [{ ...PORTS, annotations: { 'prometheus.io/port': '9' } }, [{ scheme: 'http', port: 9, path: '/metrics' }]],
  [{}, [{ scheme: 'http', port: 8000, container: 'server', path: '/metrics' }]],
  [
    { annotations: { 'prometheus.io/path': 'custom' } },
    [{ scheme: 'http', port: 8000, container: 'server', path: '/custom' }],
  ],
  [
    { annotations: { 'prometheus.io/path': '/x', 'aiperf.nvidia.com/metrics-paths': '/a, b,' } },
    [
      { scheme: 'http', port: 8000, container: 'server', path: '/a' },
      { scheme: 'http', port: 8000, container: 'server', path: '/b' },
    ],
  ],
])('finds the endpoints of %j', (pod, endpoints) => {
  expect(listPodEndpoints(createPod(pod))).toEqual({ endpoints, problems: [] });
});

test.each<[PodProperties, string]>([
  [
    { containers: [{ name: 'c' }] },
    'pod llm/vllm-0 declares no container port; set the annotation prometheus.io/port',
  ],
  [
    { annotations: { 'prometheus.io/port': 'http' } },
    'pod llm/vllm-0 has the annotation prometheus.io/port "http"; expected a number from 1 to 65535',
  ],
  [{ annotations: { 'prometheus.io/port': '70000' } }, 'prometheus.io/port "70000"'],
  [
    { annotations: { 'prometheus.io/scheme': 'grpc' } },
    'pod llm/vllm-0 has the annotation prometheus.io/scheme "grpc"; expected http or https',
  ],
])('reports the problem of %j', (pod, problem) => {
  expect(listPodEndpoints(createPod(pod))).toEqual({
    endpoints: [],
    problems: [expect.stringContaining(problem)],
  });
});
