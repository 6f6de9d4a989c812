import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { loadCluster } from '../../../src/sources/kubernetes/cluster.ts';
import { isInCluster } from '../../../src/sources/kubernetes/environment.ts';
import { writeKubeconfig } from './apiServer.ts';

const SERVER = 'https://api.example:6443/';

/** Writes the files of a service account below a new folder. */
function createAccount(): string {
  const root = mkdtempSync(join(tmpdir(), 'account-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const folder = join(root, 'var/run/secrets/kubernetes.io/serviceaccount');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'token'), 'pod-token');
  writeFileSync(join(folder, 'namespace'), 'llm\n');
  writeFileSync(join(folder, 'ca.crt'), '');
  return root;
}

test('reads server, namespace and token of a kubeconfig', async () => {
  const cluster = loadCluster({ kubeconfig: writeKubeconfig(SERVER) });
  expect(cluster).toMatchObject({ server: 'https://api.example:6443', namespace: 'llm', user: 'bench' });
  expect(await cluster.readAuthorization()).toBe('Bearer hunter2');
});

test('selects a context', () => {
  const kubeconfig = writeKubeconfig(SERVER);
  expect(loadCluster({ kubeconfig, context: 'other' }).namespace).toBeUndefined();
  expect(() => loadCluster({ kubeconfig, context: 'none' })).toThrow(
    'the kubeconfig has no context "none"; expected one of main, other',
  );
});

test.each<[unknown, string | undefined]>([
  [{ username: 'me', password: 'pw' }, `Basic ${btoa('me:pw')}`],
  [{}, undefined],
])('the authorization of %j is %s', async (user, expected) => {
  expect(await loadCluster({ kubeconfig: writeKubeconfig(SERVER, user) }).readAuthorization()).toBe(expected);
});

test('names a user whose command for credentials fails, without its output', async () => {
  const exec = {
    apiVersion: 'client.authentication.k8s.io/v1',
    command: '/none/login',
    interactiveMode: 'Never',
  };
  const cluster = loadCluster({ kubeconfig: writeKubeconfig(SERVER, { exec }) });
  await expect(cluster.readAuthorization()).rejects.toThrow(
    /^cannot get the credentials of user "bench" for https:\/\/api.example:6443: .*; sign in again, or check the kubeconfig$/,
  );
});

test('reads the service account of a pod', async () => {
  const root = createAccount();
  vi.stubEnv('KUBERNETES_SERVICE_HOST', 'fd00::1');
  vi.stubEnv('KUBERNETES_SERVICE_PORT', '443');
  onTestFinished(() => void vi.unstubAllEnvs());
  const cluster = loadCluster({ isInCluster: true, root });
  expect(cluster).toMatchObject({ server: 'https://[fd00::1]:443', namespace: 'llm' });
  expect(await cluster.readAuthorization()).toBe('Bearer pod-token');
});

test('a process is in a cluster if it has a service account', () => {
  const root = createAccount();
  expect(isInCluster({ KUBERNETES_SERVICE_HOST: 'h' }, root)).toBe(true);
  expect(isInCluster({}, root)).toBe(false);
  expect(isInCluster({ KUBERNETES_SERVICE_HOST: 'h' }, `${root}/none`)).toBe(false);
});

test('reports a missing or invalid kubeconfig without its contents', () => {
  expect(() => loadCluster({ kubeconfig: '/none/config' })).toThrow(
    'cannot read the kubeconfig "/none/config": no such file',
  );
  const path = writeKubeconfig(SERVER);
  writeFileSync(path, 'token: [hunter2');
  expect(() => loadCluster({ kubeconfig: path })).toThrow(
    `cannot read the kubeconfig ${JSON.stringify(path)}: it is not a valid kubeconfig`,
  );
});

test('reports that there is no configuration', () => {
  vi.stubEnv('KUBECONFIG', '');
  vi.stubEnv('HOME', mkdtempSync(join(tmpdir(), 'home-')));
  onTestFinished(() => {
    rmSync(process.env.HOME!, { recursive: true });
    vi.unstubAllEnvs();
  });
  expect(() => loadCluster({})).toThrow('there is no configuration of a Kubernetes cluster');
});
