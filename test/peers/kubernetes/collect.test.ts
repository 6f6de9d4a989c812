import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runServelens } from '../../servelens.ts';
import type { Service } from '../../service.ts';
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
});
