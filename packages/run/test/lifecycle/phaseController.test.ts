import { recoverRun } from '@org/record/journal';
import { describe, expect, test, vi } from 'vitest';
import type { RunEvent } from '../../src/events.ts';
import {
  countResponses,
  delayMetrics,
  getInfo,
  repeat,
  startRun,
  startServer,
  toDocument,
} from './testRun.ts';

describe('marks', () => {
  test('delimit the profiling period exactly, on a fast and on a slow endpoint', async () => {
    const quick = await startServer();
    const slow = await delayMetrics(await startServer(), 400);
    const { phases, mark, end } = await startRun([quick, slow]);
    const sendRequests = async (): Promise<void> =>
      void (await Promise.all([quick.sendRequest(), slow.sendRequest()]));
    await phases.start();
    await repeat(4, sendRequests);
    expect(await mark('profiling-start')).toMatchObject({ ok: true });
    await repeat(7, sendRequests);
    await mark('note', 'half way');
    expect(await mark('profiling-end')).toMatchObject({ ok: true });
    await repeat(3, sendRequests);
    const run = await end();
    const document = toDocument(run);
    expect(countResponses(document)).toEqual({ [`${quick.url}/metrics`]: 7, [`${slow.url}/metrics`]: 7 });

    const { summary } = document;
    expect(summary.marks!.map(({ kind, text, sender }) => [kind, text, sender])).toEqual([
      ['profiling-start', 'profiling-start', 'me'],
      ['note', 'half way', 'me'],
      ['profiling-end', 'profiling-end', 'me'],
    ]);
    const [started, , ended] = summary.marks!;
    expect(started!.time_ns).toBeLessThanOrEqual(summary.profiling_start_ns!);
    expect(ended!.time_ns).toBeLessThanOrEqual(summary.profiling_end_ns!);
    for (const server of [quick, slow]) {
      const info = getInfo(document, server);
      expect(info.baseline_ns! < summary.profiling_start_ns!).toBe(true);
      expect(info.closing_ns! > summary.profiling_end_ns!).toBe(true);
      expect(info.start_slack_ms).toBeCloseTo(
        Number(summary.profiling_start_ns! - info.baseline_ns!) / 1e6,
        6,
      );
      expect(info.end_slack_ms).toBeCloseTo(Number(info.closing_ns! - summary.profiling_end_ns!) / 1e6, 6);
    }
    expect(getInfo(document, slow).end_slack_ms).toBeGreaterThan(320);
    expect(getInfo(document, slow).interval_backoffs).toBeGreaterThan(0);
    expect(getInfo(document, slow).scrape_latency_p50_ms).toBeGreaterThan(320);
  });

  test('are journaled, with the phase boundaries, the waits and the cost of scraping', async () => {
    const server = await startServer();
    const { phases, journal, mark, end } = await startRun([server], 60);
    await phases.start();
    await server.sendRequest();
    await mark('profiling-end');
    const run = await end();
    const recovered = recoverRun(journal.path).record;
    expect(recovered).toMatchObject({
      period: run.period,
      marks: run.marks,
      settling: run.settling,
      scraping: run.scraping,
    });
    expect(recovered.settling!.map(({ boundary, outcome }) => [boundary, outcome])).toEqual([
      ['start', 'settled'],
      ['end', 'settled'],
    ]);
    expect(toDocument(recovered)).toEqual(toDocument(run));
    expect(countResponses(toDocument(recovered))).toEqual({ [`${server.url}/metrics`]: 1 });
  });

  test('are rejected and not recorded if they are out of order', async () => {
    const server = await startServer();
    const { phases, mark, end } = await startRun([server]);
    expect(await mark('profiling-end')).toMatchObject({
      ok: false,
      error: 'profiling has not started: the warm-up is active; mark profiling-start first',
    });
    const [first, second] = await Promise.all([mark('profiling-start'), mark('profiling-start')]);
    expect(first).toMatchObject({ ok: true });
    expect(second).toMatchObject({
      ok: false,
      error: 'profiling-start was already marked; it is allowed once per run',
    });
    // Profiling was started by a mark, so the end of the warm-up does not start it again.
    const { startedMs } = phases;
    await phases.start();
    expect(phases.startedMs).toBe(startedMs);
    expect(await mark('profiling-end')).toMatchObject({ ok: true });
    expect(await mark('profiling-end')).toMatchObject({ ok: false, error: 'profiling has already ended' });
    expect(await mark('profiling-start')).toMatchObject({ ok: false });
    expect(await mark('note', 'after the end')).toMatchObject({ ok: true });
    const { marks } = await end();
    expect(marks!.map(({ text }) => text)).toEqual(['profiling-start', 'profiling-end', 'after the end']);
  });

  test('are accepted after the maximum of 10,000 notes if they change the phase', async () => {
    const { mark, end } = await startRun([await startServer()]);
    for (let count = 0; count < 10_000; count++) void mark('note', 'x');
    expect(await mark('note', 'x')).toEqual({
      ok: false,
      error: 'the run already has the maximum of 10000 notes',
    });
    expect(await mark('profiling-start')).toMatchObject({ ok: true });
    expect(await mark('profiling-end')).toMatchObject({ ok: true });
    expect((await end()).marks).toHaveLength(10_002);
  });
});

describe('without marks', () => {
  test('the period lasts from the start of profiling to the end of the run', async () => {
    const server = await startServer();
    const { phases, end } = await startRun([server]);
    await repeat(3, server.sendRequest);
    expect(phases.isProfiling).toBe(false);
    await phases.start();
    expect(phases.started.aborted).toBe(true);
    await repeat(5, server.sendRequest);
    expect(countResponses(toDocument(await end()))).toEqual({ [`${server.url}/metrics`]: 5 });
  });

  test('the start of profiling waits for slow endpoints', async () => {
    const quick = await startServer();
    const slow = await delayMetrics(await startServer(), 1200);
    const { phases, end } = await startRun([quick, slow]);
    const sendRequests = async (): Promise<void> =>
      void (await Promise.all([quick.sendRequest(), slow.sendRequest()]));
    await repeat(2, sendRequests);
    await phases.start();
    await repeat(5, sendRequests);
    const document = toDocument(await end());
    expect(countResponses(document)).toEqual({ [`${quick.url}/metrics`]: 5, [`${slow.url}/metrics`]: 5 });
  });
});

describe('with settleSeconds', () => {
  const isStartOfWait = (event: RunEvent): boolean =>
    event.type === 'phase_changed' && event.phase === 'settling';

  test('phases wait for in-flight requests, before and after profiling', async () => {
    const server = await startServer();
    const { phases, end } = await startRun([server], 60);
    const warmupRequests = repeat(6, server.sendRequest);
    await phases.start();
    await warmupRequests;
    const lastRequests = repeat(4, server.sendRequest);
    const run = await end();
    await lastRequests;
    expect(countResponses(toDocument(run))).toEqual({ [`${server.url}/metrics`]: 4 });
    expect(run.settling!.map(({ boundary, outcome }) => [boundary, outcome])).toEqual([
      ['start', 'settled'],
      ['end', 'settled'],
    ]);
    expect(run.settling!.every(({ seconds }) => seconds >= 0.9)).toBe(true);
  });

  test('the wait ends at its limit, and its record lists the changing metrics', async () => {
    const server = await startServer();
    const { phases, end } = await startRun([server], 3);
    let isLoadStopped = false;
    const load = (async () => {
      while (!isLoadStopped) await server.sendRequest();
    })();
    await phases.start();
    expect(phases.isProfiling).toBe(true);
    isLoadStopped = true;
    await load;
    const { settling } = await end();
    expect(settling![0]).toMatchObject({ boundary: 'start', outcome: 'timed_out', limit_seconds: 3 });
    expect(settling![0]!.changing_metrics!.length).toBeGreaterThan(0);
  });

  test('an abort signal or a mark ends the wait', async () => {
    const server = await startServer();
    const { phases, mark, events, end } = await startRun([server], 60);
    const waitForWaits = (count: number): Promise<void> =>
      vi.waitFor(() => expect(events.filter(isStartOfWait)).toHaveLength(count), 60_000);
    const load = new AbortController();
    const loading = (async () => {
      while (!load.signal.aborted) await server.sendRequest();
    })();
    const stop = new AbortController();
    const cancelled = phases.start({ signal: stop.signal });
    await waitForWaits(1);
    stop.abort();
    await cancelled;
    expect(phases.isProfiling).toBe(false);
    const replaced = phases.start();
    await waitForWaits(2);
    const marked = mark('profiling-start');
    await replaced;
    expect(phases.isProfiling).toBe(false);
    load.abort();
    await loading;
    expect(await marked).toMatchObject({ ok: true });
    const { settling } = await end();
    expect(settling!.map(({ outcome }) => outcome)).toEqual([
      'interrupted',
      'interrupted',
      'settled',
      'settled',
    ]);
  });
});
