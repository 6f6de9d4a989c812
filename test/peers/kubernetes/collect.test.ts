import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runServelens } from '../../servelens.ts';
import type { Service } from '../../service.ts';
import { root } from '../../source.ts';
import { runCommand } from '../support/command.ts';
import { describePeer } from '../support/peer.ts';
import { startSimulator } from '../support/simulator.ts';
import { KubernetesServer } from './apiServer.ts';
import { applyManifest, readManifest } from './manifest.ts';
import { NAMESPACE, NamespaceObjects } from './namespaceObjects.ts';

/** Address of all pods. They differ in their ports. */
const POD_IP = '127.0.0.1';

interface ExportedEndpoint {
  readonly labels: Readonly<Record<string, string>>;
  readonly identity: string;
  readonly added_ns?: number;
  readonly removed_ns?: number;
  readonly total_fetches: number;
}

describePeer('kubernetes', 'A run that scrapes pods', peer => {
  let server: KubernetesServer;
  let objects: NamespaceObjects;
  let kubeconfig: string;
  let folder: string;
  const simulators: Service[] = [];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'servelens-pods-'));
    server = await KubernetesServer.start(peer);
    objects = new NamespaceObjects(server);
    await objects.create();
    await applyManifest(server, readManifest());
    kubeconfig = server.writeKubeconfig('servelens', await objects.createToken('servelens'));
    for (let index = 0; index < 3; index++)
      simulators.push(await startSimulator(['--arrival-rate', '5', '--seed', String(index)]));
  });

  afterAll(async () => {
    for (const simulator of simulators) await simulator.stop();
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const startPod = (name: string, simulator: number): Promise<void> =>
    objects.startPod(
      { name, port: Number(new URL(simulators[simulator]!.url).port), labels: { role: 'decode' } },
      POD_IP,
    );

  test('records pods that start, end and are replaced as endpoints with their own periods', async () => {
    await startPod('stays', 0);
    await startPod('ends', 1);
    await startPod('replaced', 2);
    let log = '';
    let wake = (): void => {};
    const waitFor = async (count: number, pattern: RegExp): Promise<void> => {
      while ((log.match(pattern) ?? []).length < count)
        await new Promise<void>(resolve => {
          wake = resolve;
        });
    };
    let interrupt = (): void => {};
    const artifacts = join(folder, 'run');
    const run = runServelens(
      [
        ...['collect', '--discovery', 'kubernetes', '--kubeconfig', kubeconfig],
        ...['--discovery-namespace', NAMESPACE, '--artifact-dir', artifacts, '--no-gpu-telemetry'],
        ...['--server-metrics-formats', 'json', 'jsonl', 'csv', 'parquet'],
      ],
      {
        onStderr: text => {
          log = text;
          wake();
        },
        interrupt: new Promise(resolve => {
          interrupt = resolve;
        }),
      },
    );
    // The progress is logged every 10 s.
    await waitFor(1, / 3\/3 up/g);
    await objects.deletePod('ends');
    await waitFor(1, /was removed/g);
    await objects.deletePod('replaced');
    await waitFor(2, /was removed/g);
    await startPod('replaced', 2);
    await waitFor(1, /was added/g);
    await waitFor(1, / 2\/2 up/g);
    interrupt();
    const { code, stderr } = await run;
    expect(code, stderr).toBe(0);

    const document = JSON.parse(readFileSync(join(artifacts, 'server_metrics_export.json'), 'utf8'));
    const endpoints = Object.values(document.summary.endpoint_info as Record<string, ExportedEndpoint>);
    const describeEndpoint = ({ labels, added_ns, removed_ns }: ExportedEndpoint): string =>
      [labels.pod, added_ns && 'added', removed_ns && 'removed'].filter(Boolean).join(' ');
    expect(endpoints.map(describeEndpoint).sort()).toEqual([
      'ends removed',
      'replaced added',
      'replaced removed',
      'stays',
    ]);
    expect(new Set(endpoints.map(({ identity }) => identity)).size).toBe(4);
    for (const { labels, total_fetches: fetches } of endpoints) {
      expect(labels).toMatchObject({ namespace: NAMESPACE, node: 'node-1', role: 'decode' });
      expect(fetches).toBeGreaterThan(0);
    }

    const validated = await runServelens(['validate', artifacts]);
    expect(validated.code, validated.stdout).toBe(0);
    const query = await runServelens([
      ...['read', 'query', artifacts, '--format', 'csv'],
      'SELECT target_pod, count(DISTINCT endpoint_url) n FROM samples GROUP BY 1 ORDER BY 1',
    ]);
    expect(query.stdout.trim().split('\n').slice(1)).toEqual(['ends,1', 'replaced,2', 'stays,1']);
  }, 300_000);

  test.skipIf(!canMount())(
    'a run in a pod finds the pods of its namespace, with its service account and without options',
    async () => {
      await startPod('neighbor', 0);
      const artifacts = join(folder, 'in-cluster');
      const { code, output } = await collectInPod(await objects.createToken('servelens'), artifacts);
      expect(code, output).toBe(0);
      const document = JSON.parse(readFileSync(join(artifacts, 'server_metrics_export.json'), 'utf8'));
      const endpoints = Object.values(document.summary.endpoint_info as Record<string, ExportedEndpoint>);
      expect(endpoints.map(({ labels }) => labels.pod)).toContain('neighbor');
    },
    300_000,
  );

  test.skipIf(!canMount())(
    'a run in a pod whose service account has no rights names the missing verb, and scrapes its URL',
    async () => {
      const artifacts = join(folder, 'no-rights');
      const url = simulators[0]!.url;
      await server.requestOrThrow(`/api/v1/namespaces/${NAMESPACE}/serviceaccounts`, {
        method: 'POST',
        body: { metadata: { name: 'powerless' } },
      });
      const token = await objects.createToken('powerless');
      const { code, output } = await collectInPod(token, artifacts, '--url', url);
      expect(output).toMatch(/WARNING.*"?(list|watch)"?.*pods/);
      expect(output).not.toContain('    at ');
      expect(code, output).toBe(0);
    },
    300_000,
  );

  /** Runs `collect` for two seconds with the files and variables that a pod has. */
  function collectInPod(token: string, artifacts: string, ...args: readonly string[]) {
    const account = mkdtempSync(join(folder, 'account-'));
    writeFileSync(join(account, 'token'), token);
    writeFileSync(join(account, 'namespace'), NAMESPACE);
    copyFileSync(join(server.folder, 'certificates/apiserver.crt'), join(account, 'ca.crt'));
    const { hostname, port } = new URL(server.url);
    const words = [join(root, 'apps/cli/bin/servelens.js'), 'collect', '--duration', '2', ...args];
    const output = ['--artifact-dir', artifacts, '--no-gpu-telemetry', '--server-metrics-formats', 'json'];
    const command = [process.execPath, ...words, ...output];
    return runCommand('unshare', ['-m', 'sh', '-c', MOUNT_ACCOUNT, 'sh', account, ...command], {
      env: { KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port },
      timeoutMs: 120_000,
    });
  }
});

/** Mounts the folder of a service account where pods have it, visible only to the command that follows. */
const MOUNT_ACCOUNT = `
mount -t tmpfs none /run && mkdir -p /run/secrets/kubernetes.io &&
ln -s "$1" /run/secrets/kubernetes.io/serviceaccount && shift && exec "$@"`;

/** Reports whether mounts that only one process sees are allowed. */
function canMount(): boolean {
  return spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'none', '/run']).status === 0;
}
