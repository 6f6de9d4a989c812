import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { momentsPercentiles } from '@org/core';
import type { EndpointInfo, ServerMetricsDocument } from '@org/formats';
import type { RunRecord } from '@org/record';
import { MARK, openJournal, type RunHeader, recoverRun, type TimesByEndpoint } from '@org/record/journal';
import { exportView, serverMetricsDocument } from '@org/record/view';
import { Collection, Phases, runMemory } from '@org/run/lifecycle';
import type { MarkKind } from '@org/run/marks';
import { createSystemClock, type JournalWriter, parseMetricsTarget, replayJournal } from '@org/scrape';
import { createSimulator, type Simulator } from '@org/simulator';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Progress } from '../../src/collect/progress.ts';
import { readSettings } from '../../src/settings.ts';

const ABOUT = { benchmarkId: 'b', version: '1.0.0', cancelled: false, inputConfig: {} };
const NEVER = new AbortController().signal;

let folder = '';
const cleanup: (() => unknown)[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'phases-'));
});
afterEach(async () => {
  for (const one of cleanup.splice(0).reverse()) await one();
  rmSync(folder, { recursive: true, force: true });
});

interface Served {
  readonly url: string;
  /** Has it answer one request. */
  readonly ask: () => Promise<void>;
}

async function simulated(): Promise<Served> {
  const simulator: Simulator = createSimulator({ seed: 5 });
  const { url } = await simulator.listen(0);
  cleanup.push(() => simulator.close());
  const body = JSON.stringify({ model: 'servelens/simulated-8b', prompt: 'hello', max_tokens: 2 });
  const headers = { 'content-type': 'application/json' };
  return {
    url,
    ask: async () =>
      void (await (await fetch(`${url}/v1/completions`, { method: 'POST', headers, body })).text()),
  };
}

/** The same metrics, as they were when they were asked for, and so many ms later. */
async function slowly({ url, ask }: Served, delayMs: number): Promise<Served> {
  const server: Server = createServer(async (_, response) => {
    const text = await (await fetch(`${url}/metrics`)).text();
    await sleep(delayMs);
    response.writeHead(200, { 'content-type': 'text/plain' }).end(text);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  cleanup.push(() => server.close() && server.closeAllConnections());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, ask };
}

interface Collecting {
  readonly collection: Collection;
  readonly phases: Phases;
  readonly journal: JournalWriter;
  readonly log: string[];
  readonly mark: (kind: MarkKind, text?: string) => ReturnType<Phases['mark']>;
  readonly record: () => Promise<RunRecord>;
}

async function collecting(servers: readonly Served[], settleSeconds?: number): Promise<Collecting> {
  const clock = createSystemClock();
  const startNs = clock.nowNs();
  const header = {
    ...ABOUT,
    startNs,
    exports: { formats: ['json'], percentileMethod: 'moments' },
  } as RunHeader;
  const journal = openJournal(folder, header, { clock });
  cleanup.push(() => journal.close());
  const settings = readSettings({ AIPERF_SERVER_METRICS_COLLECTION_INTERVAL: '0.05' });
  const targets = servers.map(({ url }) => parseMetricsTarget(url));
  const kept = runMemory(folder, 2 ** 26);
  cleanup.push(() => kept.close());
  const { memory } = kept;
  const collection = new Collection({
    targets,
    clock,
    settings,
    startNs,
    journal,
    memory,
    onEvent: () => {},
  });
  const log: string[] = [];
  const say = (message: string): void => void log.push(message);
  const phases = new Phases({
    collection,
    clock,
    progress: new Progress(clock),
    log: { info: say, warning: say, error: say },
    interrupted: NEVER,
    ...(settleSeconds === undefined ? {} : { settleSeconds }),
  });
  await collection.reach();
  collection.start();
  const record = async (): Promise<RunRecord> => {
    await phases.end();
    await collection.close(false);
    return collection.record(ABOUT);
  };
  const mark: Collecting['mark'] = (kind, text = kind) => phases.mark({ mark: kind, text, who: 'me' });
  return { collection, phases, journal, log, mark, record };
}

function documentOf(record: RunRecord): ServerMetricsDocument {
  return serverMetricsDocument(exportView(record), { estimator: momentsPercentiles });
}

/** Requests that were answered in the period, by endpoint. */
function answered({ metrics }: ServerMetricsDocument): Record<string, number> {
  const totals: Record<string, number> = {};
  for (const { endpoint_url, stats } of metrics['vllm:request_success']!.series)
    totals[endpoint_url] = (totals[endpoint_url] ?? 0) + (stats as { total: number }).total;
  return totals;
}

/** The endpoints of which a journal has a baseline. */
function baselinesIn({ path }: JournalWriter): string[] {
  const edges = replayJournal(path).marks.filter(({ kind }) =>
    [MARK.profilingStart, MARK.baseline].includes(kind as 'baseline'),
  );
  return edges.flatMap(({ data }) => Object.keys(data as TimesByEndpoint)).sort();
}

const infoOf = ({ summary }: ServerMetricsDocument, { url }: Served): EndpointInfo =>
  summary.endpoint_info[`${url}/metrics`]!;

async function times(count: number, work: () => Promise<void>): Promise<void> {
  for (let done = 0; done < count; done++) await work();
}

describe('marks', () => {
  test('cut off the warm-up and what follows, to the request, on a quick and on a slow endpoint', async () => {
    const quick = await simulated();
    const slow = await slowly(await simulated(), 400);
    const { phases, mark, record } = await collecting([quick, slow]);
    const ask = async (): Promise<void> => void (await Promise.all([quick.ask(), slow.ask()]));
    await phases.begin(NEVER, 'before load');
    await times(4, ask);
    expect(await mark('profiling-start')).toMatchObject({ ok: true });
    await times(7, ask);
    await mark('note', 'half way');
    expect(await mark('profiling-end')).toMatchObject({ ok: true });
    await times(3, ask);
    const run = await record();
    const document = documentOf(run);
    expect(answered(document)).toEqual({ [`${quick.url}/metrics`]: 7, [`${slow.url}/metrics`]: 7 });

    const { summary } = document;
    expect(summary.marks!.map(({ kind, text, who }) => [kind, text, who])).toEqual([
      ['profiling-start', 'profiling-start', 'me'],
      ['note', 'half way', 'me'],
      ['profiling-end', 'profiling-end', 'me'],
    ]);
    const [started, , ended] = summary.marks!;
    expect(started!.time_ns).toBeLessThanOrEqual(summary.profiling_start_ns!);
    expect(ended!.time_ns).toBeLessThanOrEqual(summary.profiling_end_ns!);
    for (const server of [quick, slow]) {
      const info = infoOf(document, server);
      expect(info.baseline_ns! < summary.profiling_start_ns!).toBe(true);
      expect(info.closing_ns! > summary.profiling_end_ns!).toBe(true);
      expect(info.start_slack_ms).toBeCloseTo(
        Number(summary.profiling_start_ns! - info.baseline_ns!) / 1e6,
        6,
      );
      expect(info.end_slack_ms).toBeCloseTo(Number(info.closing_ns! - summary.profiling_end_ns!) / 1e6, 6);
    }
    expect(infoOf(document, slow).end_slack_ms).toBeGreaterThan(320);
    expect(infoOf(document, slow).interval_backoffs).toBeGreaterThan(0);
    expect(infoOf(document, slow).scrape_latency_p50_ms).toBeGreaterThan(320);
  });

  test('stand in the journal, with the edges, what was waited for and what it cost', async () => {
    const server = await simulated();
    const { phases, journal, mark, record } = await collecting([server], 5);
    await phases.begin(NEVER, 'before load');
    await server.ask();
    await mark('profiling-end');
    const run = await record();
    const recovered = recoverRun(journal.path).record;
    expect(recovered).toMatchObject({
      period: run.period,
      marks: run.marks,
      settling: run.settling,
      scraping: run.scraping,
    });
    expect(recovered.settling!.map(({ edge, outcome }) => [edge, outcome])).toEqual([
      ['start', 'settled'],
      ['end', 'settled'],
    ]);
    expect(documentOf(recovered)).toEqual(documentOf(run));
    expect(answered(documentOf(recovered))).toEqual({ [`${server.url}/metrics`]: 1 });
  });

  test('are refused where they make no sense, and then stand nowhere', async () => {
    const server = await simulated();
    const { phases, mark, record } = await collecting([server]);
    const refusal = async (kind: MarkKind): Promise<unknown> => mark(kind).then(answer => ({ ...answer }));
    expect(await refusal('profiling-end')).toMatchObject({
      ok: false,
      error: 'profiling has not begun, the warm-up goes on; mark profiling-start first',
    });
    const [first, second] = await Promise.all([refusal('profiling-start'), refusal('profiling-start')]);
    expect(first).toMatchObject({ ok: true });
    expect(second).toMatchObject({
      ok: false,
      error: 'profiling-start was marked already; it can be once in a run',
    });
    // A mark wins over the end of a warm-up.
    const { startedMs } = phases;
    await phases.begin(NEVER, 'before load');
    expect(phases.startedMs).toBe(startedMs);
    expect(await refusal('profiling-end')).toMatchObject({ ok: true });
    expect(await refusal('profiling-end')).toMatchObject({ ok: false, error: 'profiling has ended already' });
    expect(await refusal('profiling-start')).toMatchObject({ ok: false });
    expect(await mark('note', 'after the end')).toMatchObject({ ok: true });
    const { marks } = await record();
    expect(marks!.map(({ text }) => text)).toEqual(['profiling-start', 'profiling-end', 'after the end']);
  });

  test('are kept up to 10,000 notes, and then the edges still', async () => {
    const { mark, record } = await collecting([await simulated()]);
    for (let count = 0; count < 10_000; count++) void mark('note', 'x');
    expect(await mark('note', 'x')).toEqual({
      ok: false,
      error: 'the run has 10000 notes, which is all that it keeps',
    });
    expect(await mark('profiling-start')).toMatchObject({ ok: true });
    expect(await mark('profiling-end')).toMatchObject({ ok: true });
    expect((await record()).marks).toHaveLength(10_002);
  });
});

describe('without marks', () => {
  test('profiling is from its begin to the end of the run', async () => {
    const server = await simulated();
    const { phases, record } = await collecting([server]);
    await times(3, server.ask);
    expect(phases.isProfiling).toBe(false);
    await phases.begin(NEVER, 'before load');
    expect(phases.begun.aborted).toBe(true);
    await times(5, server.ask);
    expect(answered(documentOf(await record()))).toEqual({ [`${server.url}/metrics`]: 5 });
  });

  test('all endpoints are waited for before the load, however slow', async () => {
    const quick = await simulated();
    const slow = await slowly(await simulated(), 1200);
    const { phases, record } = await collecting([quick, slow]);
    const ask = async (): Promise<void> => void (await Promise.all([quick.ask(), slow.ask()]));
    await times(2, ask);
    await phases.begin(NEVER, 'before load');
    await times(5, ask);
    const document = documentOf(await record());
    expect(answered(document)).toEqual({ [`${quick.url}/metrics`]: 5, [`${slow.url}/metrics`]: 5 });
  });

  test('an endpoint too slow for the barrier has a period of its own, which begins with its own sample', async () => {
    const quick = await simulated();
    const slow = await slowly(await simulated(), 500);
    const { collection, journal } = await collecting([quick, slow]);
    const ask = async (): Promise<void> => void (await Promise.all([quick.ask(), slow.ask()]));
    await times(2, ask);
    await collection.beginProfiling(undefined, 100);
    // What it was under way with, and the scrape of the barrier behind that.
    await vi.waitFor(() => expect(baselinesIn(journal)).toEqual(['0', '1']), 30_000);
    await times(5, ask);
    await collection.endProfiling(false);
    await collection.close(false);
    const document = documentOf(collection.record(ABOUT));
    const { baseline_ns, start_slack_ms } = infoOf(document, slow);
    expect(baseline_ns! > document.summary.profiling_start_ns!).toBe(true);
    expect(start_slack_ms).toBeGreaterThan(320);
    expect(answered(document)).toEqual({ [`${quick.url}/metrics`]: 5, [`${slow.url}/metrics`]: 5 });
    expect(documentOf(recoverRun(journal.path).record)).toEqual(document);
  });
});

describe('--settle', () => {
  test('waits for requests that are still being answered, before and after', async () => {
    const server = await simulated();
    const { phases, log, record } = await collecting([server], 20);
    const before = times(6, server.ask);
    await phases.begin(NEVER, 'before load');
    await before;
    const after = times(4, server.ask);
    const run = await record();
    await after;
    expect(answered(documentOf(run))).toEqual({ [`${server.url}/metrics`]: 4 });
    expect(run.settling!.map(({ edge, outcome }) => [edge, outcome])).toEqual([
      ['start', 'settled'],
      ['end', 'settled'],
    ]);
    expect(run.settling!.every(({ seconds }) => seconds >= 0.9)).toBe(true);
    expect(log[0]).toMatch(/^before profiling: the servers stand still after \d+\.\d s$/);
  });

  test('gives up after its time, and names what still moves', async () => {
    const server = await simulated();
    const { phases, log, record } = await collecting([server], 0.8);
    let isOver = false;
    const load = (async () => {
      while (!isOver) await server.ask();
    })();
    await phases.begin(NEVER, 'before load');
    expect(phases.isProfiling).toBe(true);
    isOver = true;
    await load;
    const { settling } = await record();
    expect(settling![0]).toMatchObject({ edge: 'start', outcome: 'gave_up', limit_seconds: 0.8 });
    expect(settling![0]!.moving!.length).toBeGreaterThan(0);
    expect(log[0]).toMatch(/did not stand still within 0\.8 s; still moving: \w+/);
  });

  test('is overtaken by a mark, and ends when the run is to end', async () => {
    const server = await simulated();
    const { phases, mark, record } = await collecting([server], 30);
    const load = new AbortController();
    const loading = (async () => {
      while (!load.signal.aborted) await server.ask();
    })();
    const stop = new AbortController();
    const begun = phases.begin(stop.signal, 'before load');
    await sleep(100);
    stop.abort();
    await begun;
    expect(phases.isProfiling).toBe(false);
    const again = phases.begin(NEVER, 'before load');
    await sleep(100);
    const marked = mark('profiling-start');
    await again;
    expect(phases.isProfiling).toBe(false);
    load.abort();
    await loading;
    expect(await marked).toMatchObject({ ok: true });
    const { settling } = await record();
    expect(settling!.map(({ outcome }) => outcome)).toEqual([
      'interrupted',
      'interrupted',
      'settled',
      'settled',
    ]);
  });
});
