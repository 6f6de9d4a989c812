import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { runServelens } from '../../servelens.ts';
import { describePeer } from '../support/peer.ts';
import { KubernetesServer } from './apiServer.ts';
import { applyManifest, readManifest } from './manifest.ts';
import { NAMESPACE, NamespaceObjects } from './namespaceObjects.ts';
import { checkPods, SourceLists } from './sourceLists.ts';
import { createExpiredToken } from './token.ts';

/** The service account of the manifest in docs/discovery.md. */
const ACCOUNT = 'servelens';
const POLL = { timeout: 60_000 };
const urlOf = (ip: string): string => `http://${ip}:8000/metrics`;

describePeer('kubernetes', 'Discovery with the API server of Kubernetes', peer => {
  let server: KubernetesServer;
  let objects: NamespaceObjects;
  let token: string;
  let kubeconfig: string;

  beforeAll(async () => {
    server = await KubernetesServer.start(peer);
    objects = new NamespaceObjects(server);
    await objects.create();
    await applyManifest(server, readManifest());
    token = await objects.createToken(ACCOUNT);
    kubeconfig = server.writeKubeconfig(ACCOUNT, token);
  });

  afterAll(() => server?.stop());

  async function follow(settings: Parameters<typeof SourceLists.start>[0] = {}): Promise<SourceLists> {
    const lists = await SourceLists.start({ kubeconfig, ...settings });
    onTestFinished(() => lists.stop());
    return lists;
  }

  /** Creates running pods, which are deleted after the test. */
  async function startPods(...pods: Parameters<NamespaceObjects['startPod']>[]): Promise<void> {
    for (const [pod, ip] of pods) {
      await objects.startPod(pod, ip);
      onTestFinished(() => objects.deletePod(pod.name).catch(() => {}));
    }
  }

  test('the token of the manifest can list and watch pods of its namespace, and nothing else', async () => {
    const status = async (path: string, method = 'GET'): Promise<number> =>
      (await server.request(path, { token, method, ...(method === 'GET' ? {} : { body: {} }) })).status;
    const pods = `/api/v1/namespaces/${NAMESPACE}/pods`;
    expect(await status(pods)).toBe(200);
    expect(await status(`${pods}?watch=1&timeoutSeconds=1`)).toBe(200);
    expect(await status(`${pods}/none`)).toBe(403);
    expect(await status(pods, 'POST')).toBe(403);
    expect(await status('/api/v1/pods')).toBe(403);
    expect(await status(`/api/v1/namespaces/${NAMESPACE}/secrets`)).toBe(403);
    expect(await status('/api/v1/namespaces/default/pods')).toBe(403);
  });

  test('pods that start, stop and are replaced are seen at once', async () => {
    await startPods([{ name: 'a', labels: { app: 'vllm', role: 'prefill' } }, '127.0.0.5']);
    const lists = await follow();
    await expect.poll(() => lists.urls, POLL).toEqual([urlOf('127.0.0.5')]);
    const [first] = lists.latest!;
    expect(first!.labels).toEqual({
      namespace: NAMESPACE,
      pod: 'a',
      node: 'node-1',
      container: 'server',
      app: 'vllm',
      role: 'prefill',
    });
    await objects.createPod({ name: 'b' });
    await objects.runPod('b', '127.0.0.6');
    await expect.poll(() => lists.urls, POLL).toEqual([urlOf('127.0.0.5'), urlOf('127.0.0.6')]);
    await objects.deletePod('a');
    await expect.poll(() => lists.urls, POLL).toEqual([urlOf('127.0.0.6')]);
    await objects.startPod({ name: 'a' }, '127.0.0.5');
    await expect.poll(() => lists.urls, POLL).toEqual([urlOf('127.0.0.5'), urlOf('127.0.0.6')]);
    expect(lists.latest![0]!.identity).not.toBe(first!.identity);
    await objects.deletePod('b');
    await expect.poll(() => lists.urls, POLL).toEqual([urlOf('127.0.0.5')]);
    expect(lists.problems).toEqual([]);
  });

  test('pods qualify by their image, and by the annotation only with the setting', async () => {
    const annotations = {
      'prometheus.io/scrape': 'true',
      'prometheus.io/port': '9100',
      'prometheus.io/path': '/m',
    };
    await startPods(
      [{ name: 'server' }, '127.0.0.5'],
      [{ name: 'other', image: 'nginx', annotations }, '127.0.0.6'],
      [{ name: 'plain', image: 'nginx' }, '127.0.0.7'],
    );
    const lists = await follow();
    await expect.poll(() => lists.urls, POLL).toEqual([urlOf('127.0.0.5')]);
    const annotated = await follow({ annotations: true });
    await expect.poll(() => annotated.urls, POLL).toEqual(['http://127.0.0.6:9100/m', urlOf('127.0.0.5')]);
  });

  test('a label selector is applied by the server', async () => {
    await startPods(
      [{ name: 'blue', image: 'nginx', labels: { tier: 'blue' } }, '127.0.0.5'],
      [{ name: 'red', labels: { tier: 'red' } }, '127.0.0.6'],
    );
    const lists = await follow({ label_selector: 'tier in (blue,green)' });
    await expect.poll(() => lists.urls, POLL).toEqual([urlOf('127.0.0.5')]);
    await expect(checkPods({ kubeconfig, label_selector: '==' })).rejects.toThrow(
      /responded with status 400: .*; check the label selector "=="$/,
    );
  });

  test('a cluster without the resources of monitors is reported', async () => {
    await startPods([{ name: 'a' }, '127.0.0.5']);
    const admin = server.writeKubeconfig('admin', 'admin-token');
    const lists = await follow({ kubeconfig: admin, monitors: true });
    await expect.poll(() => lists.urls, POLL).toEqual([urlOf('127.0.0.5')]);
    expect(lists.problems).toEqual([
      'the cluster has no PodMonitors and no ServiceMonitors (monitoring.coreos.com/v1)',
    ]);
  });

  test('a missing verb is named with its rule', async () => {
    const manifest = readManifest().map(document => document.replaceAll('servelens', 'no-watch'));
    await applyManifest(
      server,
      manifest.map(document => document.replace('verbs: [list, watch]', 'verbs: [list]')),
    );
    const limited = server.writeKubeconfig('no-watch', await objects.createToken('no-watch'));
    await startPods([{ name: 'a' }, '127.0.0.5']);
    const lists = await follow({ kubeconfig: limited });
    await expect
      .poll(() => lists.problems, POLL)
      .toEqual([
        'cannot watch pods in namespace "llm": user "system:serviceaccount:llm:no-watch" lacks the verb watch (403); add to its Role in namespace "llm": {apiGroups: [""], resources: ["pods"], verbs: ["watch"]}',
      ]);
    expect(lists.urls).toEqual([urlOf('127.0.0.5')]);
    await expect(checkPods({ kubeconfig, namespace: '*' })).rejects.toThrow(
      'cannot list pods in all namespaces: user "system:serviceaccount:llm:servelens" lacks the verb list (403); add to its ClusterRole: {apiGroups: [""], resources: ["pods"], verbs: ["list"]}',
    );
  });

  test.each([
    ['an expired token', () => createExpiredToken(token, join(server.folder, 'accounts.key'))],
    ['an invalid token', () => 'none'],
  ])('%s ends the command before the run, with one message', async (_, createToken) => {
    const rejected = createToken();
    const path = server.writeKubeconfig('rejected', rejected);
    const { code, stderr } = await runServelens([
      ...['collect', '--discovery', 'kubernetes', '--kubeconfig', path, '--duration', '1'],
      ...['--artifact-dir', join(server.folder, 'run')],
    ]);
    expect(stderr).toContain(
      `kubernetes namespace "llm": cannot list pods in namespace "llm": ${server.url} rejected the credentials of "rejected" (401); the token is invalid or has expired; sign in again, or check the kubeconfig`,
    );
    expect(stderr).not.toContain(rejected === 'none' ? '\n    at ' : rejected);
    expect(code).toBe(2);
  });
});
