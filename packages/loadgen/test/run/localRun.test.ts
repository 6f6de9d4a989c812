import { describe, expect, test, vi } from 'vitest';
import { toWallNs } from '../../src/clock.ts';
import { openFileInputs } from '../../src/input/fileInputs.ts';
import type { RequestRecord } from '../../src/requestRecord.ts';
import type { LoadSummary } from '../../src/run/loadSummary.ts';
import { startLoad } from '../../src/run/localRun.ts';
import { openTokenizer } from '../../src/tokens/tokenizer.ts';
import { writeJsonl } from '../support/files.ts';
import { createInputs, createOptions, runLoad, sortByIndex } from '../support/load.ts';
import {
  formatChatEvent,
  formatChunk,
  formatHead,
  startRawServer,
  startTokenServer,
} from '../support/server.ts';
import { MODEL, startSimulator } from '../support/simulator.ts';
import { LocalCounter } from '../support/tokenCounter.ts';

/** Checks that the sum of all latencies is less than the total time of the concurrency slots. */
function expectWithinSlots(records: readonly RequestRecord[], { phases }: LoadSummary, slots: number): void {
  const { startNs, endNs } = phases[0]!;
  const sumNs = records.reduce((sum, record) => sum + record.lastTokenNs! - record.startNs, 0);
  expect(sumNs).toBeLessThan(slots * (endNs - startNs));
}

describe('against the simulator', () => {
  test.each([
    ['chat', true],
    ['chat', false],
    ['completions', true],
    ['completions', false],
    ['embeddings', false],
  ] as const)('%s, streaming %s: client and server count the same tokens', async (endpoint, streaming) => {
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
      expect(record.counted.output).toBe(output);
      expect(record.counted.input).toBeGreaterThan(0);
    }
    const prompts = records.reduce((sum, { usage }) => sum + usage!.promptTokens!, 0);
    expect(prompts).toBe(requests.reduce((sum, { promptTokens }) => sum + promptTokens, 0));
  });

  test('timestamps are in order and close to the timestamps of the server', async () => {
    const { simulator, url } = await startSimulator({ speed: 1 });
    const { records, summary } = await runLoad(url, {
      inputs: createInputs(2, 20),
      target: { model: MODEL, extraInputs: { ignore_eos: true } },
      profiling: { concurrency: 8, requestCount: 24 },
    });
    const truths = new Map(simulator.getTruth().requests.map(request => [request.id, request]));
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
      // The last eight hexadecimal digits of the server's ID count its requests, starting at 1.
      const truth = truths.get(Number.parseInt(servedId!.slice(-8), 16) - 1)!;
      const durationNs = truth.lastTokenNs - truth.arrivalNs;
      errors.push((lastTokenNs! - startNs - durationNs) / durationNs);
    }
    // The simulator runs in the client's thread, so single timestamps may be too early; a benchmark measures accuracy.
    errors.sort((a, b) => a - b);
    expect(errors[errors.length / 2]).toBeGreaterThan(-0.2);
    expectWithinSlots(records, summary, 8);
    const wallMs = Number(toWallNs(summary.originNs, records[0]!.startNs) / 1_000_000n);
    expect(Math.abs(Date.now() - wallMs)).toBeLessThan(60_000);
  });

  test('200 concurrent streams have exact token counts', async () => {
    const { simulator, url } = await startSimulator({ speed: 4, maxRunning: 256 });
    const { records, summary } = await runLoad(url, {
      inputs: createInputs(3, 10),
      target: { model: MODEL, extraInputs: { ignore_eos: true } },
      profiling: { concurrency: 200, requestCount: 400 },
    });
    expect(summary.phases[0]).toMatchObject({ succeeded: 400, failed: 0 });
    const lengthNs = summary.phases[0]!.endNs - summary.phases[0]!.startNs;
    expect(records.reduce((sum, { arrivals }) => sum + arrivals.pieces, 0)).toBe(4000);
    const truths = new Map(simulator.getTruth().requests.map(request => [request.id, request]));
    expect(truths.size).toBe(400);
    const first: number[] = [];
    const spans: number[] = [];
    for (const { servedId, usage, startNs, firstTokenNs, lastTokenNs } of records) {
      const truth = truths.get(Number.parseInt(servedId!.slice(-8), 16) - 1)!;
      expect(usage).toMatchObject({ promptTokens: truth.promptTokens, completionTokens: truth.outputTokens });
      expect(firstTokenNs).toBeGreaterThan(startNs);
      first.push((firstTokenNs! - startNs - (truth.firstWrittenNs - truth.receivedNs)) / lengthNs);
      const span = truth.lastWrittenNs - truth.firstWrittenNs;
      spans.push(Math.abs(lastTokenNs! - firstTokenNs! - span) / lengthNs);
    }
    // The simulator runs in the client's thread, so single timestamps may be too early. The error depends on
    // the speed of the machine, so errors are fractions of the run's duration.
    const computeMedian = (values: number[]) => values.sort((a, b) => a - b)[200];
    // The server's time from reading the request to writing the token is part of the client's latency.
    expect(computeMedian(first)).toBeGreaterThan(-0.05);
    expect(computeMedian(spans)).toBeLessThan(0.1);
    expectWithinSlots(records, summary, 200);
  });

  test.each([
    [true, 'text/event-stream', '[DONE]'],
    [false, 'application/json', undefined],
  ] as const)('keeps requests and responses as sent, with streaming: %j', async (streaming, type, last) => {
    const { url } = await startSimulator();
    const { records } = await runLoad(url, {
      keepRaw: true,
      target: { model: MODEL, streaming, headers: { 'x-team': 'blue' } },
      profiling: { concurrency: 1, requestCount: 2 },
    });
    const [{ raw, lastTokenNs, startNs }] = records as [RequestRecord];
    const { payload, headers, contentType, messages } = raw!;
    expect(JSON.parse(payload)).toMatchObject({ model: MODEL, stream: streaming });
    expect(headers.slice(headers.indexOf('x-team'), headers.indexOf('x-team') + 2)).toEqual([
      'x-team',
      'blue',
    ]);
    expect(contentType).toContain(type);
    expect(messages.length > 1).toBe(streaming);
    for (const { atNs } of messages) expect(atNs).toBeGreaterThan(startNs);
    const { text, atNs } = messages.at(-1)!;
    expect(atNs).toBeGreaterThanOrEqual(lastTokenNs!);
    if (last === undefined) expect(JSON.parse(text)).toHaveProperty('choices');
    else expect(text).toBe(last);
  });

  test('keeps no requests and responses by default', async () => {
    const { url } = await startSimulator();
    const { records } = await runLoad(url, { profiling: { concurrency: 1, requestCount: 1 } });
    expect(records[0]!.raw).toBeUndefined();
  });

  test('sends later turns with the previous responses, after the delay of each turn', async () => {
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
    // System prompt and first prompt have 3 tokens; each later turn adds a response of 6 tokens and a prompt of
    // 1 token.
    expect(records.map(({ counted }) => counted.input)).toEqual([3, 10, 17]);
    expect(records[1]!.intendedNs - records[0]!.endNs).toBeGreaterThanOrEqual(24e6);
    expect(records[1]!.startNs).toBeGreaterThanOrEqual(records[1]!.intendedNs - 1e6);
    const prompts = records.map(({ usage }) => usage!.promptTokens!);
    expect(prompts[1]! - prompts[0]!).toBe(6 + 1 + 8);
  });
});

describe('a seed', () => {
  test('reproduces the requests and their order', async () => {
    const runWithSeed = async (seed: number) => {
      const { url, received } = await startTokenServer();
      await runLoad(url, {
        inputs: createInputs(seed),
        profiling: { concurrency: 1, requestCount: 12 },
        seed,
      });
      return received.map(({ body }) => body);
    };
    const [a, b, c] = [await runWithSeed(1), await runWithSeed(1), await runWithSeed(2)];
    expect(a).toHaveLength(12);
    expect(b).toEqual(a);
    expect(c).not.toEqual(a);
  });

  test('reproduces the cancellations', async () => {
    const runWithConcurrency = async (concurrency: number) => {
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
    const [a, b] = [await runWithConcurrency(16), await runWithConcurrency(16)];
    expect(a).toEqual(b);
    expect(new Set(a).size).toBe(2);
  });
});

test('reports progress during a run', async () => {
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
  [{ profiling: { fixedSchedule: true } }, 'fixedSchedule: the inputs have no timestamps'],
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
