import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { estimateMomentsPercentiles } from '@org/core';
import type { EndpointInfo, ServerMetricsDocument } from '@org/formats';
import type { RunRecord } from '@org/record';
import { MARK, openJournal, type RunHeader, type TimesByEndpoint } from '@org/record/journal';
import { createExportView, createServerMetricsDocument } from '@org/record/view';
import { createSystemClock, type JournalWriter, parseMetricsTarget, replayJournal } from '@org/scrape';
import { createSimulator, type Simulator } from '@org/simulator';
import { onTestFinished } from 'vitest';
import type { RunEvent } from '../../src/events.ts';
import { PhaseController } from '../../src/lifecycle/phaseController.ts';
import { openRunMemory } from '../../src/lifecycle/runStorage.ts';
import { Scraping } from '../../src/lifecycle/scraping.ts';
import type { MarkKind, MarkResponse } from '../../src/marks/protocol.ts';
import { DEFAULT_SETTINGS } from '../../src/plan/runPlan.ts';
import { createFolder } from '../plans.ts';

export const RUN_INFO = { benchmarkId: 'b', version: '1.0.0', cancelled: false, inputConfig: {} };
const NEVER_ABORTED = new AbortController().signal;

export interface TestServer {
  readonly url: string;
  /** Sends a request and waits for its response. */
  readonly sendRequest: () => Promise<void>;
}

/** Starts a simulated server, which is closed at the end of the test. */
export async function startServer(): Promise<TestServer> {
  const simulator: Simulator = createSimulator({ seed: 5 });
  const { url } = await simulator.listen(0);
  onTestFinished(() => simulator.close());
  const body = JSON.stringify({ model: 'servelens/simulated-8b', prompt: 'hello', max_tokens: 2 });
  const headers = { 'content-type': 'application/json' };
  return {
    url,
    sendRequest: async () =>
      void (await (await fetch(`${url}/v1/completions`, { method: 'POST', headers, body })).text()),
  };
}

/** Starts a proxy that delays the metrics of a server. The values are read when the scrape begins, before the delay. */
export async function delayMetrics({ url, sendRequest }: TestServer, delayMs: number): Promise<TestServer> {
  const server: Server = createServer(async (_, response) => {
    const text = await (await fetch(`${url}/metrics`)).text();
    await sleep(delayMs);
    response.writeHead(200, { 'content-type': 'text/plain' }).end(text);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sendRequest };
}

export interface TestRun {
  readonly scraping: Scraping;
  readonly phases: PhaseController;
  readonly journal: JournalWriter;
  readonly mark: (kind: MarkKind, text?: string) => Promise<MarkResponse>;
  /** Events so far. */
  readonly events: readonly RunEvent[];
  /** Ends the run and returns its record. */
  readonly end: () => Promise<RunRecord>;
}

/** Starts a run that scrapes servers every 50 ms and is in its warm-up. */
export async function startRun(servers: readonly TestServer[], settleSeconds?: number): Promise<TestRun> {
  const folder = createFolder();
  const clock = createSystemClock();
  const startNs = clock.nowNs();
  const header = {
    ...RUN_INFO,
    startNs,
    exports: { formats: ['json'], percentileMethod: 'moments' },
  } as RunHeader;
  const journal = openJournal(folder, header, { clock });
  onTestFinished(() => journal.close());
  const memory = openRunMemory(folder, 2 ** 26);
  onTestFinished(() => memory.close());
  const scraping = new Scraping({
    targets: servers.map(({ url }) => parseMetricsTarget(url)),
    clock,
    settings: { ...DEFAULT_SETTINGS, intervalMs: 50 },
    startNs,
    journal,
    memory: memory.memory,
    onChange: () => {},
  });
  const events: RunEvent[] = [];
  const phases = new PhaseController({
    scraping,
    clock,
    emit: event => void events.push(event),
    interruptSignal: NEVER_ABORTED,
    accepts: 'marks',
    ...(settleSeconds === undefined ? {} : { settleSeconds }),
  });
  await scraping.probe();
  scraping.start();
  const end = async (): Promise<RunRecord> => {
    await phases.end();
    await scraping.close(false);
    return scraping.createRecord(RUN_INFO);
  };
  const mark: TestRun['mark'] = (kind, text = kind) => phases.handleMark({ mark: kind, text, sender: 'me' });
  return { scraping, phases, journal, mark, events, end };
}

export function toDocument(record: RunRecord): ServerMetricsDocument {
  return createServerMetricsDocument(createExportView(record), { estimator: estimateMomentsPercentiles });
}

/** Counts the requests that completed in the profiling period, by endpoint URL. */
export function countResponses({ metrics }: ServerMetricsDocument): Record<string, number> {
  const totals: Record<string, number> = {};
  for (const { endpoint_url, stats } of metrics['vllm:request_success']!.series)
    totals[endpoint_url] = (totals[endpoint_url] ?? 0) + (stats as { total: number }).total;
  return totals;
}

/** Returns the indices of the endpoints for which a journal records a baseline. */
export function readBaselines({ path }: JournalWriter): string[] {
  const boundaries = replayJournal(path).marks.filter(({ kind }) =>
    [MARK.profilingStart, MARK.baseline].includes(kind as 'baseline'),
  );
  return boundaries.flatMap(({ data }) => Object.keys(data as TimesByEndpoint)).sort();
}

/** Returns the `endpoint_info` of a server. */
export function getInfo({ summary }: ServerMetricsDocument, { url }: TestServer): EndpointInfo {
  return summary.endpoint_info[`${url}/metrics`]!;
}

/** Executes `work` `count` times in sequence. */
export async function repeat(count: number, work: () => Promise<void>): Promise<void> {
  for (let done = 0; done < count; done++) await work();
}
