import { expect, test } from 'vitest';
import type { Pod } from '../../../src/sources/kubernetes/objects.ts';
import { SourceReader } from '../sourceReader.ts';
import { findClosedUrl } from '../webServer.ts';
import { ApiServer, createSource } from './apiServer.ts';
import { createPod } from './pods.ts';

const PODS = '/api/v1/namespaces/llm/pods';
const POD_MONITORS = '/apis/monitoring.coreos.com/v1/namespaces/llm/podmonitors';
const SERVICE_MONITORS = '/apis/monitoring.coreos.com/v1/namespaces/llm/servicemonitors';
const SERVICES = '/api/v1/namespaces/llm/services';

const [A, B, C]: Pod[] = ['a', 'b', 'c'].map((name, i) =>
  createPod({ name, ip: `10.0.0.${i + 1}`, version: `1${i}` }),
);
const urlOf = (number: number): string => `http://10.0.0.${number}:8000/metrics`;

async function startServer(...pods: Pod[]): Promise<ApiServer> {
  const server = await ApiServer.start();
  server.lists.set(PODS, { items: pods, version: '100' });
  return server;
}

test('lists the running pods in pages, and follows events', async () => {
  const pending = createPod({ name: 'd', phase: 'Pending' });
  const server = await startServer(A!, B!, pending, createPod({ name: 'e', containers: [] }));
  const reader = new SourceReader(createSource(server.url));
  expect(await reader.nextUrls()).toEqual([urlOf(1), urlOf(2)]);
  await server.waitForWatches(1);
  server.send('ADDED', C);
  expect(await reader.nextUrls()).toEqual([urlOf(1), urlOf(2), urlOf(3)]);
  server.send('DELETED', A);
  expect(await reader.nextUrls()).toEqual([urlOf(2), urlOf(3)]);
  server.send('MODIFIED', { ...B!, status: { phase: 'Failed', podIP: '10.0.0.2' } });
  expect(await reader.nextUrls()).toEqual([urlOf(3)]);
  expect(server.listed).toEqual([PODS, PODS]);
  expect(server.requests[0]!.authorization).toBe('Bearer hunter2');
  expect(await reader.end()).toBe(true);
});

test('a replaced pod with the same address is another target', async () => {
  const server = await startServer(A!);
  const reader = new SourceReader(createSource(server.url));
  const [first] = await reader.next();
  await server.waitForWatches(1);
  server.send('MODIFIED', { ...A!, metadata: { ...A!.metadata, uid: 'new' } });
  const [second] = await reader.next();
  expect(second!.url).toBe(first!.url);
  expect([first!.identity, second!.identity]).toEqual(['uid-a', 'new']);
});

test('sends the label selector, and then accepts any pod', async () => {
  const server = await startServer(createPod({ containers: [{ name: 'x', ports: [{ containerPort: 1 }] }] }));
  const reader = new SourceReader(createSource(server.url, { labelSelector: 'app in (a,b)' }));
  expect(await reader.nextUrls()).toEqual(['http://10.0.0.1:1/metrics']);
  expect(server.requests[0]!.query.get('labelSelector')).toBe('app in (a,b)');
});

test('continues a watch that the server has ended', async () => {
  const server = await startServer(A!);
  const reader = new SourceReader(createSource(server.url));
  await reader.next();
  await server.waitForWatches(1);
  server.send('BOOKMARK', { metadata: { resourceVersion: '150' } });
  server.endWatches();
  await server.waitForWatches(2);
  server.send('ADDED', B);
  expect(await reader.nextUrls()).toEqual([urlOf(1), urlOf(2)]);
  expect(server.watchedVersions).toEqual(['100', '150']);
  expect(server.listed).toEqual([PODS]);
  expect(reader.problems).toEqual([]);
});

test('lists the pods again if the server no longer has the version', async () => {
  const server = await startServer(A!);
  const reader = new SourceReader(createSource(server.url));
  await reader.next();
  await server.waitForWatches(1);
  server.lists.set(PODS, { items: [B!], version: '200' });
  server.send('ERROR', { kind: 'Status', code: 410, message: 'too old resource version' });
  expect(await reader.nextUrls()).toEqual([urlOf(2)]);
  await server.waitForWatches(2);
  expect(server.watchedVersions).toEqual(['100', '200']);
  expect(reader.problems).toEqual([]);
});

test('reports a problem once, keeps the last list, and continues where it ended', async () => {
  const server = await startServer(A!);
  const reader = new SourceReader(createSource(server.url));
  await reader.next();
  await server.waitForWatches(1);
  server.rule = () => 503;
  server.endWatches();
  const next = reader.nextUrls();
  expect(await reader.waitForProblem()).toMatch(
    /^cannot watch pods in namespace "llm": http:\/\/127.0.0.1:\d+ responded with status 503: /,
  );
  server.rule = () => undefined;
  await server.waitForWatches(2);
  server.send('ADDED', B);
  expect(await next).toEqual([urlOf(1), urlOf(2)]);
  expect(reader.problems).toHaveLength(1);
  expect(server.listed).toEqual([PODS]);
});

test.each<[number, string]>([
  [
    403,
    'cannot list pods in namespace "llm": user "system:serviceaccount:llm:bench" lacks the verb list (403); add to its Role in namespace "llm": {apiGroups: [""], resources: ["pods"], verbs: ["list"]}',
  ],
  [401, 'rejected the credentials of "bench" (401); the token is invalid or has expired; sign in again'],
  [500, 'responded with status 500: pods is forbidden'],
])('fails if the first list is refused with %i', async (status, message) => {
  const server = await startServer();
  server.rule = () => status;
  await expect(new SourceReader(createSource(server.url)).next()).rejects.toThrow(message);
});

test('names the verb watch if only that is missing, and lists the pods from time to time', async () => {
  const server = await startServer(A!);
  server.rule = ({ query }) => (query.has('watch') ? 403 : undefined);
  const reader = new SourceReader(createSource(server.url));
  await reader.next();
  const next = reader.nextUrls();
  expect(await reader.waitForProblem()).toMatch(
    /^cannot watch pods .* lacks the verb watch \(403\); .*verbs: \["watch"\]/,
  );
  server.lists.set(PODS, { items: [A!, B!], version: '200' });
  expect(await next).toEqual([urlOf(1), urlOf(2)]);
  expect(reader.problems).toHaveLength(1);
});

test('names an API server that is not reachable', async () => {
  const url = await findClosedUrl();
  await expect(new SourceReader(createSource(url)).next()).rejects.toThrow(
    `cannot list pods in namespace "llm": ${url} is not reachable: connection refused`,
  );
});

test('a request for pods in all namespaces needs a ClusterRole', async () => {
  const server = await startServer();
  server.rule = () => 403;
  const source = createSource(server.url, { namespace: undefined });
  expect(source.name).toBe('kubernetes all namespaces');
  await expect(new SourceReader(source).next()).rejects.toThrow(
    'cannot list pods in all namespaces: user "system:serviceaccount:llm:bench" lacks the verb list (403); add to its ClusterRole',
  );
  expect(server.requests[0]!.path).toBe('/api/v1/pods');
});

test('reports a pod without a port once', async () => {
  const server = await startServer(A!, createPod({ name: 'x', containers: [{ name: 'c', image: 'vllm' }] }));
  const reader = new SourceReader(createSource(server.url));
  expect(await reader.nextUrls()).toEqual([urlOf(1)]);
  await server.waitForWatches(1);
  server.send('ADDED', B);
  await reader.next();
  expect(reader.problems).toEqual([
    'pod llm/x declares no container port; set the annotation prometheus.io/port; the pod is not scraped',
  ]);
});

test('scrapes the pods of monitors at their ports', async () => {
  const selected = createPod({
    name: 'db',
    labels: { app: 'db' },
    containers: [{ name: 'db', ports: [{ name: 'web', containerPort: 9100 }] }],
  });
  const server = await startServer(A!, selected);
  const monitor = {
    metadata: { name: 'm', namespace: 'llm', uid: 'm' },
    spec: { selector: { matchLabels: { app: 'db' } }, podMetricsEndpoints: [{ port: 'web', path: '/p' }] },
  };
  server.lists.set(POD_MONITORS, { items: [monitor], version: '1' });
  const reader = new SourceReader(createSource(server.url, { usesMonitors: true }));
  expect(await reader.nextUrls()).toEqual([urlOf(1), 'http://10.0.0.1:9100/p']);
  await server.waitForWatches(2);
  expect(server.listed).toEqual([PODS, POD_MONITORS, SERVICE_MONITORS]);
});

test('reads services only if there are ServiceMonitors', async () => {
  const server = await startServer(A!);
  for (const path of [POD_MONITORS, SERVICE_MONITORS, SERVICES])
    server.lists.set(path, { items: [], version: '1' });
  await new SourceReader(createSource(server.url, { usesMonitors: true })).next();
  expect(server.listed).toEqual([PODS, POD_MONITORS, SERVICE_MONITORS, SERVICES]);
});

test('reports a cluster without monitors', async () => {
  const server = await startServer(A!);
  const reader = new SourceReader(createSource(server.url, { usesMonitors: true }));
  expect(await reader.nextUrls()).toEqual([urlOf(1)]);
  expect(reader.problems).toEqual([
    'the cluster has no PodMonitors and no ServiceMonitors (monitoring.coreos.com/v1)',
  ]);
});

test('reaches pods through the proxy with the credentials of the cluster', async () => {
  const server = await startServer(A!);
  const [target] = await new SourceReader(createSource(server.url, { usesProxy: true })).next();
  expect(target!.url).toBe(`${server.url}/api/v1/namespaces/llm/pods/a:8000/proxy/metrics`);
  expect(await target!.access!.authorization!.readHeader()).toBe('Bearer hunter2');
  expect(target!.access!.authorization!.listSecrets()).toEqual(['hunter2']);
});
