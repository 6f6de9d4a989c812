import { expect, test } from 'vitest';
import { listMonitoredEndpoints, type Monitors } from '../../../src/sources/kubernetes/monitors.ts';
import type { Monitor, MonitorEndpoint, Service } from '../../../src/sources/kubernetes/objects.ts';
import { createPod } from './pods.ts';

const POD = createPod({
  labels: { app: 'vllm' },
  containers: [
    {
      name: 'server',
      ports: [
        { name: 'http', containerPort: 8000 },
        { name: 'prom', containerPort: 9000 },
      ],
    },
  ],
});

function createMonitor(spec: Monitor['spec'], namespace = 'llm'): Monitor {
  return { metadata: { name: 'm', namespace, uid: 'u' }, spec };
}

const SELECTOR = { matchLabels: { app: 'vllm' } };

function withPodMonitor(
  endpoint: MonitorEndpoint,
  spec: Partial<Monitor['spec']> = {},
  namespace?: string,
): Monitors {
  const monitor = createMonitor({ selector: SELECTOR, podMetricsEndpoints: [endpoint], ...spec }, namespace);
  return { podMonitors: [monitor], serviceMonitors: [], services: [] };
}

const SERVICE: Service = {
  metadata: { name: 's', namespace: 'llm', uid: 's', labels: { app: 'vllm' } },
  spec: { selector: { app: 'vllm' }, ports: [{ name: 'web', port: 80, targetPort: 'prom' }] },
};

function withServiceMonitor(endpoint: MonitorEndpoint, service: Service = SERVICE): Monitors {
  const monitor = createMonitor({ selector: SELECTOR, endpoints: [endpoint] });
  return { podMonitors: [], serviceMonitors: [monitor], services: [service] };
}

test.each<[string, Monitors, unknown]>([
  [
    'a named port',
    withPodMonitor({ port: 'prom' }),
    { port: 9000, container: 'server', path: '/metrics', scheme: 'http' },
  ],
  ['a port number', withPodMonitor({ portNumber: 7000 }), { port: 7000, path: '/metrics', scheme: 'http' }],
  [
    'path, scheme and parameters',
    withPodMonitor({ port: 'http', path: 'x', scheme: 'HTTPS', params: { a: ['1', '2'] } }),
    { port: 8000, container: 'server', path: '/x?a=1&a=2', scheme: 'https' },
  ],
  [
    'a namespace selector',
    withPodMonitor({ port: 'prom' }, { namespaceSelector: { matchNames: ['llm'] } }, 'monitoring'),
    { port: 9000, container: 'server', path: '/metrics', scheme: 'http' },
  ],
  [
    'all namespaces',
    withPodMonitor({ port: 'prom' }, { namespaceSelector: { any: true } }, 'monitoring'),
    { port: 9000, container: 'server', path: '/metrics', scheme: 'http' },
  ],
  [
    'a service',
    withServiceMonitor({ port: 'web' }),
    { port: 9000, container: 'server', path: '/metrics', scheme: 'http' },
  ],
  [
    'a target port of a service',
    withServiceMonitor({ targetPort: 8000 }),
    { port: 8000, container: 'server', path: '/metrics', scheme: 'http' },
  ],
])('finds the endpoint of a monitor with %s', (_, monitors, endpoint) => {
  expect(listMonitoredEndpoints(POD, monitors)).toEqual({ endpoints: [endpoint], problems: [] });
});

test.each<[string, Monitors]>([
  ['other labels', withPodMonitor({ port: 'prom' }, { selector: { matchLabels: { app: 'x' } } })],
  ['another namespace', withPodMonitor({ port: 'prom' }, {}, 'monitoring')],
  ['a service without a selector', withServiceMonitor({ port: 'web' }, { ...SERVICE, spec: {} })],
  [
    'a service in another namespace',
    withServiceMonitor({ port: 'web' }, { ...SERVICE, metadata: { ...SERVICE.metadata, namespace: 'x' } }),
  ],
])('%s do not select the pod', (_, monitors) => {
  expect(listMonitoredEndpoints(POD, monitors)).toBeUndefined();
});

test.each<[Monitors, string]>([
  [withPodMonitor({ port: 'none' }), 'pod llm/vllm-0 is selected by PodMonitor m, but has no port "none"'],
  [
    withServiceMonitor({ port: 'none' }),
    'pod llm/vllm-0 is selected by ServiceMonitor m, but has no port "none"',
  ],
  [withPodMonitor({ port: 'prom', scheme: 'tcp' }), 'with the scheme "tcp"; expected http or https'],
])('reports an endpoint that does not exist', (monitors, problem) => {
  expect(listMonitoredEndpoints(POD, monitors)).toEqual({
    endpoints: [],
    problems: [expect.stringContaining(problem)],
  });
});
