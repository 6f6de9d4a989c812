import { copyFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type ServerMetricsDocument, validate } from '@org/formats';
import { fromPath, readServerMetricsJson } from '@org/formats/read';
import { parseMetricsTarget, type Target } from '@org/scrape';
import { describe, expect, test } from 'vitest';
import { type CollectPlan, collect, type RunEvent } from '../../src/index.ts';
import { recover } from '../../src/recover/index.ts';
import { FakeSource } from '../fakeSource.ts';
import { type MetricsServer, startMetricsServer, waitUntil } from '../metricsServer.ts';
import { createCollectPlan } from '../plans.ts';

/** Creates the target of a pod. */
function createPod(url: string, pod: string, labels: Record<string, string> = {}): Target {
  return { ...parseMetricsTarget(url), identity: `uid-${pod}`, labels: { pod, ...labels } };
}

function createPlan(source: FakeSource, changes: Partial<CollectPlan> = {}): CollectPlan {
  return createCollectPlan('localhost:1', {
    targets: [],
    sources: [source],
    exports: { formats: ['json'] },
    ...changes,
  });
}

async function readDocument({ folder }: Pick<CollectPlan, 'folder'>): Promise<ServerMetricsDocument> {
  const input = fromPath(join(folder, 'server_metrics_export.json'));
  return (await readServerMetricsJson(input)) as ServerMetricsDocument;
}

/** Waits for three further scrapes of a server. */
async function waitForScrapes(server: MetricsServer, path?: string): Promise<void> {
  const before = server.countScrapes(path);
  await waitUntil(() => server.countScrapes(path) >= before + 3);
}

describe('endpoints of a source', () => {
  test('come and go: each has its own period, and keeps what was collected', async () => {
    const [a, b] = [await startMetricsServer(), await startMetricsServer()];
    const source = new FakeSource([createPod(a.url, 'a', { role: 'prefill' })]);
    const plan = createPlan(source);
    const events: RunEvent[] = [];
    let scrapesAtRemoval = 0;
    await collect(plan, {
      onEvent: event => events.push(event),
      workload: async () => {
        await waitForScrapes(a);
        source.set([createPod(a.url, 'a', { role: 'prefill' }), createPod(b.url, 'b')]);
        await waitForScrapes(b);
        source.set([createPod(b.url, 'b')]);
        await waitUntil(() => events.some(event => isChange(event, 'removed')));
        scrapesAtRemoval = a.countScrapes();
        await waitForScrapes(b);
      },
    });
    expect(a.countScrapes()).toBeLessThanOrEqual(scrapesAtRemoval + 1);
    const { summary, metrics } = await readDocument(plan);
    const [infoA, infoB] = [a, b].map(({ url }) => summary.endpoint_info[`${url}/metrics`]!);
    expect(infoA).toMatchObject({
      status: 'removed',
      identity: 'uid-a',
      labels: { pod: 'a', role: 'prefill' },
    });
    expect(infoA).not.toHaveProperty('added_ns');
    expect(infoA).not.toHaveProperty('end_slack_ms');
    expect(infoA!.outages).toEqual([]);
    expect(infoA!.removed_ns! >= infoA!.last_fetch_ns!).toBe(true);
    expect(infoB).toMatchObject({ status: 'active', labels: { pod: 'b' } });
    expect(infoB).not.toHaveProperty('start_slack_ms');
    expect(infoB!.first_fetch_ns! >= infoB!.added_ns!).toBe(true);
    expect(metrics.work!.series.map(({ endpoint_url }) => endpoint_url)).toEqual(
      [`${a.url}/metrics`, `${b.url}/metrics`].sort(),
    );
    expect(summary.sources).toEqual([{ name: 'fake source', lists: 3, problems: 0 }]);
    expect(await listIssues(plan)).toEqual([]);
  });

  test('with another identity at the same URL are other endpoints, not resets', async () => {
    const server = await startMetricsServer();
    server.setCounter(1000);
    const source = new FakeSource([createPod(server.url, 'old')]);
    const plan = createPlan(source, { exports: { formats: ['json', 'jsonl', 'csv', 'parquet'] } });
    await collect(plan, {
      workload: async () => {
        await waitForScrapes(server);
        source.set([]);
        server.setCounter(0);
        source.set([createPod(server.url, 'new')]);
        await waitForScrapes(server);
      },
    });
    const { summary, metrics } = await readDocument(plan);
    const url = `${server.url}/metrics`;
    expect(summary.endpoints_configured).toEqual([url]);
    expect(summary.endpoints_successful).toEqual([url, `${url}#2`]);
    expect(summary.endpoint_info[url]).toMatchObject({ identity: 'uid-old', status: 'removed' });
    expect(summary.endpoint_info[`${url}#2`]).toMatchObject({ identity: 'uid-new', configured_url: url });
    for (const info of Object.values(summary.endpoint_info)) expect(info).not.toHaveProperty('resets');
    expect(metrics.work!.series.map(({ stats }) => (stats as { total: number }).total < 500)).toEqual([
      true,
      true,
    ]);
    expect(await listIssues(plan)).toEqual([]);
  });

  test('that are listed again are the same endpoints, with absences', async () => {
    const server = await startMetricsServer();
    const pod = createPod(server.url, 'a');
    const source = new FakeSource([pod]);
    const plan = createPlan(source);
    const events: RunEvent[] = [];
    await collect(plan, {
      onEvent: event => events.push(event),
      workload: async () => {
        for (let n = 1; n <= 3; n++) {
          await waitForScrapes(server);
          source.set([]);
          await waitUntil(() => events.filter(event => isChange(event, 'removed')).length === n);
          source.set([pod]);
        }
        await waitForScrapes(server);
      },
    });
    const { summary } = await readDocument(plan);
    expect(Object.keys(summary.endpoint_info)).toEqual([`${server.url}/metrics`]);
    const [info] = Object.values(summary.endpoint_info);
    expect(info!.absences).toHaveLength(3);
    expect(info).toMatchObject({ status: 'active', scrapes_failed: 0 });
    expect(info).not.toHaveProperty('removed_ns');
    expect(await listIssues(plan)).toEqual([]);
  });

  test('take their labels from the source, also for a URL of the plan, which stays', async () => {
    const server = await startMetricsServer();
    const source = new FakeSource([createPod(server.url, 'a', { node: 'n1', api_key: 'secret' })]);
    const target = { ...parseMetricsTarget(server.url), labels: { node: 'mine' } };
    const plan = createPlan(source, { targets: [target] });
    await collect(plan, {
      workload: async () => {
        source.set([]);
        await waitForScrapes(server);
      },
    });
    const info = (await readDocument(plan)).summary.endpoint_info[`${server.url}/metrics`];
    expect(info).toMatchObject({ status: 'active', labels: { node: 'mine' } });
    expect(info).not.toHaveProperty('removed_ns');
  });
});

describe('a source', () => {
  test('that cannot be read does not fail the run, and its problem is recorded', async () => {
    const server = await startMetricsServer();
    const source = new FakeSource();
    source.fail(new Error('cannot list pods: 403'));
    const plan = createPlan(source, { targets: [parseMetricsTarget(server.url)] });
    const events: RunEvent[] = [];
    await collect(plan, {
      onEvent: event => events.push(event),
      workload: () => waitForScrapes(server),
    });
    expect(events).toContainEqual({
      type: 'source_failed',
      source: 'fake source',
      message: 'cannot list pods: 403',
    });
    const { sources } = (await readDocument(plan)).summary;
    expect(sources).toEqual([
      { name: 'fake source', lists: 0, problems: 1, last_problem: 'cannot list pods: 403' },
    ]);
  });

  test('that fails later keeps its last list', async () => {
    const server = await startMetricsServer();
    const source = new FakeSource([createPod(server.url, 'a')]);
    const plan = createPlan(source);
    await collect(plan, {
      workload: async () => {
        source.reportProblem('the watch was closed');
        source.reportProblem('the watch was closed');
        source.fail(new Error('connection refused'));
        await waitForScrapes(server);
      },
    });
    const { summary } = await readDocument(plan);
    expect(summary.sources).toEqual([
      { name: 'fake source', lists: 1, problems: 3, last_problem: 'connection refused' },
    ]);
    expect(summary.endpoint_info[`${server.url}/metrics`]).toMatchObject({ status: 'active' });
  });

  test('with an empty list is waited for', async () => {
    const server = await startMetricsServer();
    const source = new FakeSource([]);
    const plan = createPlan(source);
    await collect(plan, {
      workload: async () => {
        source.set([createPod(server.url, 'late')]);
        await waitForScrapes(server);
      },
    });
    expect(Object.values((await readDocument(plan)).summary.endpoint_info)).toMatchObject([
      { labels: { pod: 'late' } },
    ]);
  });
});

describe('a journal', () => {
  test('restores additions, removals and labels, also of a killed run', async () => {
    const [a, b] = [await startMetricsServer(), await startMetricsServer()];
    const source = new FakeSource([createPod(a.url, 'a')]);
    const plan = createPlan(source, { storage: { keepJournal: true } });
    const killed = join(plan.folder, 'killed');
    mkdirSync(killed);
    const journal = join(plan.folder, 'server_metrics.journal');
    await collect(plan, {
      workload: async () => {
        await waitForScrapes(a);
        source.set([createPod(a.url, 'replaced')]);
        await waitForScrapes(a);
        source.set([createPod(b.url, 'b', { node: 'n2' })]);
        await waitForScrapes(b);
        copyFileSync(journal, join(killed, 'server_metrics.journal'));
      },
    });
    const path = join(plan.folder, 'server_metrics_export.json');
    const written = readFileSync(path, 'utf8');
    rmSync(path);
    await recover(journal);
    expect(readFileSync(path, 'utf8')).toBe(written);
    await recover(join(killed, 'server_metrics.journal'));
    const { endpoint_info, sources } = (await readDocument({ folder: killed })).summary;
    expect(Object.keys(endpoint_info)).toEqual([
      `${a.url}/metrics`,
      `${a.url}/metrics#2`,
      `${b.url}/metrics`,
    ]);
    expect(Object.values(endpoint_info)).toMatchObject([
      { labels: { pod: 'a' }, identity: 'uid-a', status: 'removed' },
      { labels: { pod: 'replaced' }, identity: 'uid-replaced', status: 'removed' },
      { labels: { node: 'n2', pod: 'b' }, identity: 'uid-b' },
    ]);
    expect(endpoint_info[`${b.url}/metrics`]).toHaveProperty('added_ns');
    expect(sources).toMatchObject([{ lists: 3 }]);
  });
});

test('a churn of 100 endpoints loses none', async () => {
  const server = await startMetricsServer();
  const pods = Array.from({ length: 100 }, (_, n) => createPod(`${server.url}/${n}`, `pod-${n}`));
  const source = new FakeSource(pods.slice(0, 10));
  const plan = createPlan(source, { exports: { formats: ['json', 'jsonl'] } });
  await collect(plan, {
    workload: async () => {
      for (let first = 0; first <= 90; first += 5) {
        source.set(pods.slice(first, first + 10));
        const paths = Array.from({ length: 10 }, (_, n) => `/${first + n}/metrics`);
        await waitUntil(() => paths.every(path => server.countScrapes(path) > 1));
      }
    },
  });
  const { endpoint_info } = (await readDocument(plan)).summary;
  const infos = Object.values(endpoint_info);
  expect(infos).toHaveLength(100);
  expect(infos.filter(({ total_fetches }) => total_fetches === 0)).toEqual([]);
  expect(infos.filter(({ status }) => status === 'removed')).toHaveLength(90);
  expect(await listIssues(plan)).toEqual([]);
});

function isChange(event: RunEvent, kind: string): boolean {
  return event.type === 'endpoint_changed' && event.change.kind === kind;
}

/** Validates all exports of a run. */
async function listIssues({ folder, exports }: CollectPlan): Promise<string[]> {
  const issues: string[] = [];
  for (const format of exports!.formats!) {
    const path = join(folder, `server_metrics_export.${format}`);
    for (const { rule, place, message } of (await validate(fromPath(path))).issues)
      issues.push(`${format} ${rule} ${place} ${message}`);
  }
  return issues;
}
