import { describe, expect, test, vi } from 'vitest';
import { toWallNs } from '../../src/clock.ts';
import { openFileInputs } from '../../src/input/fileInputs.ts';
import type { RequestRecord } from '../../src/requestRecord.ts';
import type { PhaseEvent } from '../../src/run/loadOptions.ts';
import type { LoadSummary } from '../../src/run/loadSummary.ts';
import { startLoad } from '../../src/run/localRun.ts';
import { openTokenizer } from '../../src/tokens/tokenizer.ts';
import { writeJsonl } from '../support/files.ts';
import { createInputs, createOptions, runLoad } from '../support/load.ts';
import {
  DONE,
  END,
  formatChatEvent,
  formatChunk,
  formatHead,
  formatResponse,
  startRawServer,
} from '../support/server.ts';
import { MODEL, startSimulator } from '../support/simulator.ts';
import { LocalCounter } from '../support/tokenCounter.ts';

/** Starts a server that responds to every request with a stream of two tokens. */
const startTokenServer = () =>
  startRawServer(socket => {
    socket.write(formatHead());
    socket.write(formatChunk(formatChatEvent('a') + formatChatEvent('b') + DONE));
    socket.write(END);
  });

/** Checks that the sum of all latencies is less than the time that the concurrency slots were available. */
function expectSlots(records: readonly RequestRecord[], { phases }: LoadSummary, slots: number): void {
  const { startNs, endNs } = phases[0]!;
  const sumNs = records.reduce((sum, record) => sum + record.lastTokenNs! - record.startNs, 0);
  expect(sumNs).toBeLessThan(slots * (endNs - startNs));
}

const sortByIndex = (records: readonly RequestRecord[]) => [...records].sort((a, b) => a.index - b.index);

describe('against the simulator', () => {
  test.each([
    ['chat', true],
    ['chat', false],
    ['completions', true],
    ['completions', false],
    ['embeddings', false],
  ] as const)('%s, streaming %s: client and server count the same', async (endpoint, streaming) => {
    const { simulator, url } = await startSimulator();
    const counter = new LocalCounter(await openTokenizer());
    const { summary, records } = await runLoad(url, {
      endpoint,
      counter,
      inputs: createInputs(1, 7),
      target: { model: MODEL, streaming, extraInputs: { ignore_eos: true } },
      profiling: { concurrency: 3, requestCount: 12 },
    });
    expect(records.filter(({ failure }) => failure)).toEqual([]);
    expect(summary.phases).toMatchObject([
      { phase: 'profiling', sent: 12, succeeded: 12, failed: 0, stopReason: 'requests' },
    ]);
    const { requests } = simulator.getTruth();
    expect(requests).toHaveLength(12);
    const output = endpoint === 'embeddings' ? 0 : 7;
    expect(requests.map(({ outputTokens }) => outputTokens)).toEqual(Array(12).fill(output));
    for (const record of records) {
      expect(record).toMatchObject({
        endpoint,
        streaming,
        status: 200,
        url,
        model: MODEL,
        servedModel: MODEL,
        cancelled: false,
      });
      expect(record.arrivals.pieces).toBe(streaming ? 7 : endpoint === 'embeddings' ? 0 : 1);
      if (output > 0) expect(record.usage?.completionTokens).toBe(output);
      expect(record.tokens).toMatchObject({ output, source: 'client' });
      expect(record.tokens.input).toBeGreaterThan(0);
    }
    const prompts = records.reduce((sum, { usage }) => sum + usage!.promptTokens!, 0);
    expect(prompts).toBe(requests.reduce((sum, { promptTokens }) => sum + promptTokens, 0));
  });

  test('times are in order and close to the times of the server', async () => {
    const { simulator, url } = await startSimulator({ speed: 1 });
    const { records, summary } = await runLoad(url, {
      inputs: createInputs(2, 20),
      target: { model: MODEL, extraInputs: { ignore_eos: true } },
      profiling: { concurrency: 8, requestCount: 24 },
    });
    const truth = new Map(simulator.getTruth().requests.map(request => [request.id, request]));
    const errors: number[] = [];
    for (const record of records) {
      const { intendedNs, startNs, firstTokenNs, lastTokenNs, endNs, trace, arrivals, servedId } = record;
      const steps = [
        intendedNs,
        startNs,
        trace.sendStartNs!,
        trace.sendEndNs!,
        trace.firstByteNs!,
        firstTokenNs!,
        lastTokenNs!,
        endNs,
      ];
      expect(steps).toEqual([...steps].sort((a, b) => a - b));
      expect([...arrivals.timesNs]).toEqual([...arrivals.timesNs].sort((a, b) => a - b));
      // The last eight digits of the server's id are a counter of its requests.
      const real = truth.get(Number.parseInt(servedId!.slice(-8), 16) - 1)!;
      const took = real.lastTokenNs - real.arrivalNs;
      errors.push((lastTokenNs! - startNs - took) / took);
    }
    // The simulator runs in the client's thread, so single stamps may be early; the benchmark measures accuracy.
    errors.sort((a, b) => a - b);
    expect(errors[errors.length / 2]).toBeGreaterThan(-0.2);
    expectSlots(records, summary, 8);
    const wall = Number(toWallNs(summary.originNs, records[0]!.startNs) / 1_000_000n);
    expect(Math.abs(Date.now() - wall)).toBeLessThan(60_000);
  });

  test('200 concurrent streams have exact counts and the right contents', async () => {
    const { simulator, url } = await startSimulator({ speed: 4, maxRunning: 256 });
    const { records, summary } = await runLoad(url, {
      inputs: createInputs(3, 10),
      target: { model: MODEL, extraInputs: { ignore_eos: true } },
      profiling: { concurrency: 200, requestCount: 400 },
    });
    expect(summary.phases[0]).toMatchObject({ succeeded: 400, failed: 0 });
    const lengthNs = summary.phases[0]!.endNs - summary.phases[0]!.startNs;
    expect(records.reduce((sum, { arrivals }) => sum + arrivals.pieces, 0)).toBe(4000);
    const truth = new Map(simulator.getTruth().requests.map(request => [request.id, request]));
    expect(truth.size).toBe(400);
    const first: number[] = [];
    const spans: number[] = [];
    for (const { servedId, usage, startNs, firstTokenNs, lastTokenNs } of records) {
      const real = truth.get(Number.parseInt(servedId!.slice(-8), 16) - 1)!;
      expect(usage).toMatchObject({ promptTokens: real.promptTokens, completionTokens: real.outputTokens });
      expect(firstTokenNs).toBeGreaterThan(startNs);
      first.push((firstTokenNs! - startNs - (real.firstWrittenNs - real.receivedNs)) / lengthNs);
      const span = real.lastWrittenNs - real.firstWrittenNs;
      spans.push(Math.abs(lastTokenNs! - firstTokenNs! - span) / lengthNs);
    }
    // The simulator runs in the client's thread, so single stamps may be early. How early depends on the speed of the machine, so
    // errors are fractions of the run's duration.
    const computeMedian = (values: number[]) => values.sort((a, b) => a - b)[200];
    // The server's time from reading the request to writing the token is part of the client's latency.
    expect(computeMedian(first)).toBeGreaterThan(-0.05);
    expect(computeMedian(spans)).toBeLessThan(0.1);
    expectSlots(records, summary, 200);
  });

  test('sends later turns with the previous responses, after their delays', async () => {
    const { url } = await startSimulator();
    const path = writeJsonl({
      session_id: 's',
      system: 'be kind',
      turns: ['one', { text: 'two', delay: 30 }, 'three'],
    });
    const counter = new LocalCounter(await openTokenizer());
    const { records, summary } = await runLoad(url, {
      counter,
      keepText: true,
      inputs: await openFileInputs(path),
      target: { model: MODEL, extraInputs: { max_tokens: 6, ignore_eos: true } },
      profiling: { concurrency: 1 },
    });
    expect(summary.phases[0]).toMatchObject({ sent: 3, sessions: 1, stopReason: 'sessions' });
    expect(records.map(({ turn, turns, conversationId }) => [turn, turns, conversationId])).toEqual(
      [0, 1, 2].map(turn => [turn, 3, 's']),
    );
    expect(new Set(records.map(({ correlationId }) => correlationId)).size).toBe(1);
    // 2 + 1 tokens; each later turn adds 6 tokens of the response and 1 token of its prompt.
    expect(records.map(({ tokens }) => tokens.input)).toEqual([3, 10, 17]);
    expect(records[1]!.intendedNs - records[0]!.endNs).toBeGreaterThanOrEqual(24e6);
    expect(records[1]!.startNs).toBeGreaterThanOrEqual(records[1]!.intendedNs - 1e6);
    const prompts = records.map(({ usage }) => usage!.promptTokens!);
    expect(prompts[1]! - prompts[0]!).toBe(6 + 1 + 8);
  });
});

describe('a seed', () => {
  test('gives the same requests in the same order', async () => {
    const run = async (seed: number) => {
      const { url, received } = await startTokenServer();
      await runLoad(url, {
        inputs: createInputs(seed),
        profiling: { concurrency: 1, requestCount: 12 },
        seed,
      });
      return received.map(({ body }) => body);
    };
    const [a, b, c] = [await run(1), await run(1), await run(2)];
    expect(a).toHaveLength(12);
    expect(b).toEqual(a);
    expect(c).not.toEqual(a);
  });

  test('cancels the same requests', async () => {
    const run = async (concurrency: number) => {
      const { url } = await startRawServer(socket =>
        socket.write(formatHead() + formatChunk(formatChatEvent('a'))),
      );
      const { records } = await runLoad(url, {
        cancellation: { percent: 50 },
        seed: 7,
        timeoutS: 2,
        profiling: { concurrency, requestCount: 16 },
      });
      return sortByIndex(records).map(({ cancelled }) => cancelled);
    };
    const [a, b] = [await run(16), await run(16)];
    expect(a).toEqual(b);
    expect(new Set(a).size).toBe(2);
  });
});

describe('phases', () => {
  test('the warm-up has separate records and prompts', async () => {
    const { url, received } = await startTokenServer();
    const events: PhaseEvent[] = [];
    const { records, summary } = await runLoad(url, {
      warmup: { concurrency: 1, requestCount: 3 },
      profiling: { concurrency: 2, requestCount: 5 },
      onPhase: event => events.push(event),
    });
    expect(records.map(({ phase }) => phase)).toEqual([
      ...Array(3).fill('warmup'),
      ...Array(5).fill('profiling'),
    ]);
    expect(records.map(({ index }) => index).slice(0, 3)).toEqual([0, 1, 2]);
    expect(new Set(received.map(({ body }) => body)).size).toBe(8);
    expect(events.map(({ phase, kind }) => `${phase} ${kind}`)).toEqual(
      ['warmup', 'profiling'].flatMap(phase => ['started', 'sent', 'ended'].map(kind => `${phase} ${kind}`)),
    );
    expect(summary.phases.map(({ sent }) => sent)).toEqual([3, 5]);
    expect(summary.phases[1]!.startNs).toBeGreaterThanOrEqual(summary.phases[0]!.endNs);
  });

  test('the duration ends sending, the grace period ends requests in flight', async () => {
    const { url } = await startRawServer(socket =>
      socket.write(formatHead() + formatChunk(formatChatEvent('a'))),
    );
    const { records, summary } = await runLoad(url, {
      profiling: { concurrency: 3, durationS: 0.6, graceS: 0.6 },
    });
    expect(summary.phases[0]).toMatchObject({ sent: 3, failed: 3, cancelled: 3, stopReason: 'duration' });
    for (const { cancelled, failure, arrivals } of records) {
      expect([cancelled, failure?.type, failure?.code, arrivals.pieces]).toEqual([
        true,
        'Interrupted',
        499,
        1,
      ]);
    }
    const { startNs, sentNs, endNs } = summary.phases[0]!;
    expect(sentNs - startNs).toBeGreaterThan(480e6);
    expect(endNs - sentNs).toBeGreaterThan(480e6);
    expect(summary.wasCancelled).toBe(false);
  });

  test('a phase ends before the grace period if no request is in flight', async () => {
    const { url } = await startTokenServer();
    const { summary } = await runLoad(url, { profiling: { concurrency: 1, durationS: 0.1, graceS: 100 } });
    expect(summary.phases[0]).toMatchObject({ failed: 0, stopReason: 'duration' });
    expect(summary.phases[0]!.succeeded).toBeGreaterThan(0);
  });

  test('an interrupted run keeps all records and marks requests in flight as interrupted', async () => {
    let requests = 0;
    const { url } = await startRawServer(socket => {
      socket.write(formatHead() + formatChunk(formatChatEvent('a')));
      requests += 1;
      if (requests <= 2) socket.write(formatChunk(DONE) + END);
      if (requests === 5) setTimeout(() => controller.abort(), 20);
    });
    const controller = new AbortController();
    const { records, summary } = await runLoad(url, {
      signal: controller.signal,
      profiling: { concurrency: 3, requestCount: 100 },
    });
    expect(summary).toMatchObject({
      wasCancelled: true,
      phases: [{ sent: 5, succeeded: 2, cancelled: 3, stopReason: 'interrupted' }],
    });
    expect(sortByIndex(records).map(({ failure }) => failure?.type)).toEqual([
      undefined,
      undefined,
      'Interrupted',
      'Interrupted',
      'Interrupted',
    ]);
  });

  test('a run that is interrupted before its start sends nothing', async () => {
    const { url, received } = await startTokenServer();
    const { summary } = await runLoad(url, { signal: AbortSignal.abort() });
    expect([summary.wasCancelled, summary.phases, received]).toEqual([true, [], []]);
  });
});

describe('open loop', () => {
  test('sends on schedule regardless of responses', async () => {
    const { url } = await startRawServer(socket =>
      setTimeout(() => socket.write(formatResponse('200 OK', 'application/json', '{}')), 200),
    );
    const { records, summary } = await runLoad(url, {
      target: { streaming: false },
      profiling: { rate: 100, pattern: 'constant', requestCount: 10 },
    });
    const sorted = sortByIndex(records);
    const { startNs } = summary.phases[0]!;
    sorted.forEach(({ intendedNs }, index) => {
      expect(intendedNs - startNs).toBe(index * 1e7);
    });
    for (const { intendedNs, startNs: realNs } of sorted) expect(realNs).toBeGreaterThanOrEqual(intendedNs);
    // All requests were sent before the first response.
    expect(Math.max(...sorted.map(({ intendedNs }) => intendedNs))).toBeLessThan(sorted[0]!.endNs);
    expect(summary.sendDelay.count).toBe(10);
  });

  test('records the send delays caused by a concurrency limit', async () => {
    let max = 0;
    let active = 0;
    const { url } = await startRawServer(socket => {
      active += 1;
      max = Math.max(max, active);
      setTimeout(() => {
        active -= 1;
        socket.write(formatHead() + formatChunk(formatChatEvent('a') + DONE) + END);
      }, 40);
    });
    const { records } = await runLoad(url, {
      profiling: { rate: 500, pattern: 'constant', concurrency: 2, requestCount: 10 },
    });
    expect(max).toBe(2);
    const delaysMs = sortByIndex(records).map(({ startNs, intendedNs }) => (startNs - intendedNs) / 1e6);
    // The last request waits for four pairs of requests before it; its intended time is 18 ms.
    expect(delaysMs.at(-1)).toBeGreaterThan(100);
  });

  test('counts requests that were due but not sent', async () => {
    const { url } = await startRawServer(socket =>
      socket.write(formatHead() + formatChunk(formatChatEvent('a'))),
    );
    const { summary } = await runLoad(url, {
      profiling: { rate: 100, pattern: 'constant', concurrency: 2, durationS: 0.8, graceS: 0 },
    });
    expect(summary.phases[0]).toMatchObject({ sent: 2, stopReason: 'duration' });
    // At least 80 arrivals in 0.8 s, but only two requests sent.
    expect(summary.phases[0]!.unsent).toBeGreaterThanOrEqual(60);
  });

  test('uses a fixed schedule once', async () => {
    const { url } = await startTokenServer();
    const path = writeJsonl(
      { text: 'a', timestamp: 500 },
      { text: 'b', timestamp: 540 },
      { text: 'c', timestamp: 540 },
    );
    const { records, summary } = await runLoad(url, {
      inputs: await openFileInputs(path),
      profiling: { fixedSchedule: true },
    });
    expect(summary.phases[0]).toMatchObject({ sent: 3, stopReason: 'schedule' });
    const { startNs } = summary.phases[0]!;
    expect(sortByIndex(records).map(({ intendedNs }) => Math.round((intendedNs - startNs) / 1e6))).toEqual([
      0, 40, 40,
    ]);
  });

  test('sends later turns of a schedule on time, but not before the previous response', async () => {
    const { url } = await startTokenServer();
    const path = writeJsonl(
      { session_id: 's', text: 'a', timestamp: 500 },
      { session_id: 's', text: 'b', timestamp: 620 },
      { session_id: 's', text: 'c', timestamp: 500 },
      { session_id: 's', text: 'd', delay: 60 },
    );
    const { records, summary } = await runLoad(url, {
      inputs: await openFileInputs(path),
      profiling: { fixedSchedule: true },
    });
    const { startNs } = summary.phases[0]!;
    const [a, b, c, d] = [...records].sort((left, right) => left.startNs - right.startNs);
    expect([a, b, c].map(record => Math.round((record!.intendedNs - startNs) / 1e6))).toEqual([0, 120, 0]);
    expect(b!.startNs).toBeGreaterThanOrEqual(b!.intendedNs);
    expect(c!.startNs).toBeGreaterThanOrEqual(b!.endNs);
    expect(d!.intendedNs - c!.endNs).toBeGreaterThanOrEqual(60e6);
  });

  test('with a rate, later turns use arrivals of the schedule', async () => {
    const { url } = await startTokenServer();
    const path = writeJsonl(...[1, 2, 3].map(id => ({ session_id: `${id}`, turns: ['a', 'b'] })));
    const { records, summary } = await runLoad(url, {
      inputs: await openFileInputs(path),
      profiling: { rate: 100, pattern: 'constant' },
    });
    expect(records).toHaveLength(6);
    const gridTimes = sortByIndex(records).map(
      ({ intendedNs }) => (intendedNs - summary.phases[0]!.startNs) / 1e7,
    );
    for (const time of gridTimes) expect(time).toBeCloseTo(Math.round(time), 6);
    expect(new Set(gridTimes).size).toBe(6);
  });
});

test('reports progress', async () => {
  const { url } = await startRawServer(socket =>
    socket.write(formatHead() + formatChunk(formatChatEvent('a'))),
  );
  const controller = new AbortController();
  const run = startLoad({
    ...createOptions(url, { profiling: { concurrency: 3, requestCount: 3 } }),
    signal: controller.signal,
    onRecord: () => {},
  });
  expect(run.getProgress()).toMatchObject({ phase: undefined, sent: 0 });
  await vi.waitFor(() => expect(run.getProgress().sent).toBe(3), 20_000);
  expect(run.getProgress()).toMatchObject({
    phase: 'profiling',
    sent: 3,
    inFlight: 3,
    succeeded: 0,
    failed: 0,
  });
  const [before, atMs] = [run.getProgress().elapsedNs, performance.now()];
  while (performance.now() < atMs + 50) await new Promise(resolve => setTimeout(resolve, 10));
  expect(run.getProgress().elapsedNs - before).toBeGreaterThan(40e6);
  controller.abort();
  await run.finished;
});

test.each([
  [
    { endpoint: 'images' as 'chat' },
    'unknown endpoint type "images"; expected one of chat, completions, embeddings',
  ],
  [{ target: { urls: [] } }, 'urls is empty'],
  [{ target: { urls: ['http://'] } }, 'invalid URL "http://"'],
  [{ target: { urls: ['ftp://host'] } }, 'expected http:// or https://'],
  [{ target: { headers: { 'a b': 'c' } } }, 'invalid header "a b"'],
  [{ profiling: {} }, 'profiling has no load; set concurrency, rate or fixedSchedule'],
  [
    { profiling: { concurrency: 1 } },
    'profiling would never end; set requestCount, sessionCount or durationS',
  ],
  [{ profiling: { concurrency: 0, requestCount: 1 } }, 'concurrency is 0'],
  [{ profiling: { rate: 1, fixedSchedule: true } }, 'a rate cannot be combined with a fixed schedule'],
  [{ profiling: { fixedSchedule: true } }, 'fixedSchedule requires inputs with timestamps'],
  [{ profiling: { concurrency: 1, requestCount: 1.5 } }, 'requestCount is 1.5'],
  [{ profiling: { concurrency: 1, durationS: 0 } }, 'durationS is 0'],
  [{ profiling: { concurrency: 1, durationS: 1, graceS: -1 } }, 'graceS is -1'],
  [{ warmup: { rate: -1, requestCount: 1 } }, 'request rate is -1'],
  [{ cancellation: { percent: 101 } }, 'cancellation: percent is 101'],
  [{ timeoutS: 0 }, 'timeoutS is 0'],
])('rejects %j', (more, message) => {
  const options = createOptions('http://127.0.0.1:1', more as Parameters<typeof createOptions>[1]);
  expect(() => startLoad({ ...options, onRecord: () => {} })).toThrow(message);
});
