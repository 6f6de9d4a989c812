import { createSimulator } from '@org/simulator';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { wallNs } from '../../src/clock.ts';
import { fileInputs } from '../../src/input/fileInputs.ts';
import type { RequestRecord } from '../../src/requestRecord.ts';
import type { PhaseEvent } from '../../src/run/loadOptions.ts';
import type { LoadSummary } from '../../src/run/loadSummary.ts';
import { startLoad } from '../../src/run/localRun.ts';
import { IdleCounter } from '../../src/tokens/counter.ts';
import { openTokenizer } from '../../src/tokens/openTokenizer.ts';
import { jsonl } from '../support/files.ts';
import { inputs, loaded, optionsFor } from '../support/load.ts';
import { chunk, DONE, END, head, rawServer, said, whole } from '../support/server.ts';

const model = 'test/model';

async function simulated(options: Parameters<typeof createSimulator>[0] = {}) {
  const simulator = createSimulator({ seed: 1, speed: 20, model, ...options });
  onTestFinished(() => simulator.close());
  const { url } = await simulator.listen();
  return { simulator, url };
}

/** A server that streams two tokens to everybody. */
const friendly = () =>
  rawServer(socket => {
    socket.write(head());
    socket.write(chunk(said('a') + said('b') + DONE));
    socket.write(END);
  });

/** Requests that follow each other in so many places cannot have taken longer, all together, than the places were there. */
function expectPlaces(records: readonly RequestRecord[], { phases }: LoadSummary, places: number): void {
  const { startNs, endNs } = phases[0]!;
  const sumNs = records.reduce((sum, one) => sum + one.lastTokenNs! - one.startNs, 0);
  expect(sumNs).toBeLessThan(places * (endNs - startNs));
}

const ordered = (records: readonly RequestRecord[]) => [...records].sort((a, b) => a.index - b.index);

describe('against the simulator', () => {
  test.each([
    ['chat', true],
    ['chat', false],
    ['completions', true],
    ['completions', false],
    ['embeddings', false],
  ] as const)('%s, streaming %s: counts are exact on both sides', async (endpoint, streaming) => {
    const { simulator, url } = await simulated();
    const counter = new IdleCounter(await openTokenizer());
    const { summary, records } = await loaded(url, {
      endpoint,
      counter,
      inputs: inputs(1, 7),
      target: { model, streaming, extraInputs: { ignore_eos: true } },
      profiling: { concurrency: 3, requestCount: 12 },
    });
    expect(records.filter(({ failure }) => failure)).toEqual([]);
    expect(summary.phases).toMatchObject([
      { phase: 'profiling', sent: 12, succeeded: 12, failed: 0, stopped: 'requests' },
    ]);
    const { requests } = simulator.truth();
    expect(requests).toHaveLength(12);
    const output = endpoint === 'embeddings' ? 0 : 7;
    expect(requests.map(({ outputTokens }) => outputTokens)).toEqual(Array(12).fill(output));
    for (const record of records) {
      expect(record).toMatchObject({
        endpoint,
        streaming,
        status: 200,
        url,
        model,
        servedModel: model,
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

  test('times are in order, and the same as the server has them, give or take', async () => {
    const { simulator, url } = await simulated({ speed: 1 });
    const { records, summary } = await loaded(url, {
      inputs: inputs(2, 20),
      target: { model, extraInputs: { ignore_eos: true } },
      profiling: { concurrency: 8, requestCount: 24 },
    });
    const truth = new Map(simulator.truth().requests.map(request => [request.id, request]));
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
      // The last eight digits of the server's id count its requests.
      const real = truth.get(Number.parseInt(servedId!.slice(-8), 16) - 1)!;
      const took = real.lastTokenNs - real.arrivalNs;
      errors.push((lastTokenNs! - startNs - took) / took);
    }
    // The server works in the client's thread here, so that a single stamp may be early; the bench has the figures.
    errors.sort((a, b) => a - b);
    expect(errors[errors.length / 2]).toBeGreaterThan(-0.2);
    expectPlaces(records, summary, 8);
    const wall = Number(wallNs(summary.originNs, records[0]!.startNs) / 1_000_000n);
    expect(Math.abs(Date.now() - wall)).toBeLessThan(60_000);
  });

  test('200 streams at once: counts are exact, and nothing is mixed up', async () => {
    const { simulator, url } = await simulated({ speed: 4, maxRunning: 256 });
    const { records, summary } = await loaded(url, {
      inputs: inputs(3, 10),
      target: { model, extraInputs: { ignore_eos: true } },
      profiling: { concurrency: 200, requestCount: 400 },
    });
    expect(summary.phases[0]).toMatchObject({ succeeded: 400, failed: 0 });
    const lengthNs = summary.phases[0]!.endNs - summary.phases[0]!.startNs;
    expect(records.reduce((sum, { arrivals }) => sum + arrivals.pieces, 0)).toBe(4000);
    const truth = new Map(simulator.truth().requests.map(request => [request.id, request]));
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
    // The server's work is the client's too here, in one thread, and a stamp is the middle of it: single ones may be early. How long
    // that work is depends on the machine, and so does the length of the run, of which these are shares.
    const median = (values: number[]) => values.sort((a, b) => a - b)[200];
    // From the reading of the request to the writing of the token is part of what the client sees.
    expect(median(first)).toBeGreaterThan(-0.05);
    expect(median(spans)).toBeLessThan(0.1);
    expectPlaces(records, summary, 200);
  });

  test('several turns: each has the answer before it, and the pause', async () => {
    const { url } = await simulated();
    const path = jsonl({
      session_id: 's',
      system: 'be kind',
      turns: ['one', { text: 'two', delay: 30 }, 'three'],
    });
    const counter = new IdleCounter(await openTokenizer());
    const { records, summary } = await loaded(url, {
      counter,
      keepText: true,
      inputs: await fileInputs(path),
      target: { model, extraInputs: { max_tokens: 6, ignore_eos: true } },
      profiling: { concurrency: 1 },
    });
    expect(summary.phases[0]).toMatchObject({ sent: 3, sessions: 1, stopped: 'sessions' });
    expect(records.map(({ turn, turns, conversationId }) => [turn, turns, conversationId])).toEqual(
      [0, 1, 2].map(turn => [turn, 3, 's']),
    );
    expect(new Set(records.map(({ correlationId }) => correlationId)).size).toBe(1);
    // 2 + 1, then 6 of the answer and 1 more, and again.
    expect(records.map(({ tokens }) => tokens.input)).toEqual([3, 10, 17]);
    expect(records[1]!.intendedNs - records[0]!.endNs).toBeGreaterThanOrEqual(24e6);
    expect(records[1]!.startNs).toBeGreaterThanOrEqual(records[1]!.intendedNs - 1e6);
    const prompts = records.map(({ usage }) => usage!.promptTokens!);
    expect(prompts[1]! - prompts[0]!).toBe(6 + 1 + 8);
  });
});

describe('a seed', () => {
  test('gives the same requests in the same order, and the same ones cancelled', async () => {
    const run = async (seed: number) => {
      const { url, seen } = await friendly();
      await loaded(url, { inputs: inputs(seed), profiling: { concurrency: 1, requestCount: 12 }, seed });
      return seen.map(({ body }) => body);
    };
    const [a, b, c] = [await run(1), await run(1), await run(2)];
    expect(a).toHaveLength(12);
    expect(b).toEqual(a);
    expect(c).not.toEqual(a);
  });

  test('hangs up on the same ones', async () => {
    const run = async (concurrency: number) => {
      const { url } = await rawServer(socket => socket.write(head() + chunk(said('a'))));
      const { records } = await loaded(url, {
        cancellation: { percent: 50 },
        seed: 7,
        timeoutS: 2,
        profiling: { concurrency, requestCount: 16 },
      });
      return ordered(records).map(({ cancelled }) => cancelled);
    };
    const [a, b] = [await run(16), await run(16)];
    expect(a).toEqual(b);
    expect(new Set(a).size).toBe(2);
  });
});

describe('phases', () => {
  test('warm-up has records of its own, and its own prompts', async () => {
    const { url, seen } = await friendly();
    const events: PhaseEvent[] = [];
    const { records, summary } = await loaded(url, {
      warmup: { concurrency: 1, requestCount: 3 },
      profiling: { concurrency: 2, requestCount: 5 },
      onPhase: event => events.push(event),
    });
    expect(records.map(({ phase }) => phase)).toEqual([
      ...Array(3).fill('warmup'),
      ...Array(5).fill('profiling'),
    ]);
    expect(records.map(({ index }) => index).slice(0, 3)).toEqual([0, 1, 2]);
    expect(new Set(seen.map(({ body }) => body)).size).toBe(8);
    expect(events.map(({ phase, what }) => `${phase} ${what}`)).toEqual(
      ['warmup', 'profiling'].flatMap(phase => ['started', 'sent', 'ended'].map(what => `${phase} ${what}`)),
    );
    expect(summary.phases.map(({ sent }) => sent)).toEqual([3, 5]);
    expect(summary.phases[1]!.startNs).toBeGreaterThanOrEqual(summary.phases[0]!.endNs);
  });

  test('a duration ends the sending, and the grace period what is under way', async () => {
    const { url } = await rawServer(socket => socket.write(head() + chunk(said('a'))));
    const { records, summary } = await loaded(url, {
      profiling: { concurrency: 3, durationS: 0.6, graceS: 0.6 },
    });
    expect(summary.phases[0]).toMatchObject({ sent: 3, failed: 3, cancelled: 3, stopped: 'duration' });
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

  test('requests that are quick end the phase before the grace period does', async () => {
    const { url } = await friendly();
    const { summary } = await loaded(url, { profiling: { concurrency: 1, durationS: 0.1, graceS: 100 } });
    expect(summary.phases[0]).toMatchObject({ failed: 0, stopped: 'duration' });
    expect(summary.phases[0]!.succeeded).toBeGreaterThan(0);
  });

  test('an interrupted run keeps every record, and marks what was under way', async () => {
    let answered = 0;
    const { url } = await rawServer(socket => {
      socket.write(head() + chunk(said('a')));
      answered += 1;
      if (answered <= 2) socket.write(chunk(DONE) + END);
      if (answered === 5) setTimeout(() => controller.abort(), 20);
    });
    const controller = new AbortController();
    const { records, summary } = await loaded(url, {
      signal: controller.signal,
      profiling: { concurrency: 3, requestCount: 100 },
    });
    expect(summary).toMatchObject({
      wasCancelled: true,
      phases: [{ sent: 5, succeeded: 2, cancelled: 3, stopped: 'interrupted' }],
    });
    expect(ordered(records).map(({ failure }) => failure?.type)).toEqual([
      undefined,
      undefined,
      'Interrupted',
      'Interrupted',
      'Interrupted',
    ]);
  });

  test('interrupted before it begins, it sends nothing', async () => {
    const { url, seen } = await friendly();
    const { summary } = await loaded(url, { signal: AbortSignal.abort() });
    expect([summary.wasCancelled, summary.phases, seen]).toEqual([true, [], []]);
  });
});

describe('open loop', () => {
  test('sends by the clock, whether answers come or not', async () => {
    const { url } = await rawServer(socket =>
      setTimeout(() => socket.write(whole('200 OK', 'application/json', '{}')), 200),
    );
    const { records, summary } = await loaded(url, {
      target: { streaming: false },
      profiling: { rate: 100, pattern: 'constant', requestCount: 10 },
    });
    const sorted = ordered(records);
    const { startNs } = summary.phases[0]!;
    sorted.forEach(({ intendedNs }, index) => {
      expect(intendedNs - startNs).toBe(index * 1e7);
    });
    for (const { intendedNs, startNs: realNs } of sorted) expect(realNs).toBeGreaterThanOrEqual(intendedNs);
    // All of them were on their way before the first answer could come.
    expect(Math.max(...sorted.map(({ intendedNs }) => intendedNs))).toBeLessThan(sorted[0]!.endNs);
    expect(summary.sendLateness.count).toBe(10);
  });

  test('capped by concurrency, requests are late and say so', async () => {
    let most = 0;
    let present = 0;
    const { url } = await rawServer(socket => {
      present += 1;
      most = Math.max(most, present);
      setTimeout(() => {
        present -= 1;
        socket.write(head() + chunk(said('a') + DONE) + END);
      }, 40);
    });
    const { records } = await loaded(url, {
      profiling: { rate: 500, pattern: 'constant', concurrency: 2, requestCount: 10 },
    });
    expect(most).toBe(2);
    const late = ordered(records).map(({ startNs, intendedNs }) => (startNs - intendedNs) / 1e6);
    // The last one waits for four pairs before it, and was meant to go after 18 ms.
    expect(late.at(-1)).toBeGreaterThan(100);
  });

  test('what is due and never sent is counted', async () => {
    const { url } = await rawServer(socket => socket.write(head() + chunk(said('a'))));
    const { summary } = await loaded(url, {
      profiling: { rate: 100, pattern: 'constant', concurrency: 2, durationS: 0.8, graceS: 0 },
    });
    expect(summary.phases[0]).toMatchObject({ sent: 2, stopped: 'duration' });
    // Arrivals of 0.8 s and of what the machine was late by, two of them sent.
    expect(summary.phases[0]!.unsent).toBeGreaterThanOrEqual(60);
  });

  test('a fixed schedule is played once', async () => {
    const { url } = await friendly();
    const path = jsonl(
      { text: 'a', timestamp: 500 },
      { text: 'b', timestamp: 540 },
      { text: 'c', timestamp: 540 },
    );
    const { records, summary } = await loaded(url, {
      inputs: await fileInputs(path),
      profiling: { fixedSchedule: true },
    });
    expect(summary.phases[0]).toMatchObject({ sent: 3, stopped: 'schedule' });
    const { startNs } = summary.phases[0]!;
    expect(ordered(records).map(({ intendedNs }) => Math.round((intendedNs - startNs) / 1e6))).toEqual([
      0, 40, 40,
    ]);
  });

  test('later turns of a schedule are said at their times, but not before the answer before', async () => {
    const { url } = await friendly();
    const path = jsonl(
      { session_id: 's', text: 'a', timestamp: 500 },
      { session_id: 's', text: 'b', timestamp: 620 },
      { session_id: 's', text: 'c', timestamp: 500 },
      { session_id: 's', text: 'd', delay: 60 },
    );
    const { records, summary } = await loaded(url, {
      inputs: await fileInputs(path),
      profiling: { fixedSchedule: true },
    });
    const { startNs } = summary.phases[0]!;
    const [a, b, c, d] = [...records].sort((one, other) => one.startNs - other.startNs);
    expect([a, b, c].map(one => Math.round((one!.intendedNs - startNs) / 1e6))).toEqual([0, 120, 0]);
    expect(b!.startNs).toBeGreaterThanOrEqual(b!.intendedNs);
    expect(c!.startNs).toBeGreaterThanOrEqual(b!.endNs);
    expect(d!.intendedNs - c!.endNs).toBeGreaterThanOrEqual(60e6);
  });

  test('with a rate, later turns take arrivals: the rate is one of requests', async () => {
    const { url } = await friendly();
    const path = jsonl(...[1, 2, 3].map(id => ({ session_id: `${id}`, turns: ['a', 'b'] })));
    const { records, summary } = await loaded(url, {
      inputs: await fileInputs(path),
      profiling: { rate: 100, pattern: 'constant' },
    });
    expect(records).toHaveLength(6);
    const due = ordered(records).map(({ intendedNs }) => (intendedNs - summary.phases[0]!.startNs) / 1e7);
    for (const at of due) expect(at).toBeCloseTo(Math.round(at), 6);
    expect(new Set(due).size).toBe(6);
  });
});

test('URLs are used in turn', async () => {
  const servers = [await friendly(), await friendly(), await friendly()];
  const { records } = await loaded('', {
    target: { urls: servers.map(({ url }) => url) },
    profiling: { concurrency: 1, requestCount: 7 },
  });
  expect(servers.map(({ seen }) => seen.length)).toEqual([3, 2, 2]);
  expect(records[3]!.url).toBe(servers[0]!.url);
});

test('headers, key, ids and extra inputs go out', async () => {
  const { url, seen } = await friendly();
  const { records } = await loaded(`${url}/base/`, {
    target: {
      headers: { 'X-Mine': 'yes', 'User-Agent': 'me' },
      apiKey: 'secret',
      path: 'own/chat?x=1',
      extraInputs: { temperature: 0, stream: true },
    },
    profiling: { concurrency: 1, requestCount: 1 },
  });
  const { head: sent, body } = seen[0]!;
  expect(sent).toMatch(/^POST \/base\/own\/chat\?x=1 HTTP\/1\.1/);
  for (const line of [
    'X-Mine: yes',
    'User-Agent: me',
    'authorization: Bearer secret',
    'accept-encoding: identity',
  ])
    expect(sent).toContain(line);
  expect(sent).toContain(`x-request-id: ${records[0]!.requestId}`);
  expect(sent).toContain(`x-correlation-id: ${records[0]!.correlationId}`);
  expect(JSON.parse(body)).toMatchObject({ model, temperature: 0, stream: true, max_completion_tokens: 5 });
});

test('the password of a URL goes out as a header, unless a key does', async () => {
  const { url, seen } = await friendly();
  const withName = url.replace('//', '//me:secret@');
  const profiling = { concurrency: 1, requestCount: 1 };
  const { records } = await loaded(withName, { profiling });
  await loaded(withName, { target: { apiKey: 'key' }, profiling });
  expect(records[0]!.url).toBe(url);
  const sent = seen.map(({ head: lines }) => /authorization: .*/i.exec(lines)?.[0]);
  expect(sent).toEqual([`authorization: Basic ${btoa('me:secret')}`, 'authorization: Bearer key']);
});

test('progress tells where a run is', async () => {
  const { url } = await rawServer(socket => socket.write(head() + chunk(said('a'))));
  const controller = new AbortController();
  const run = startLoad({
    ...optionsFor(url, { profiling: { concurrency: 3, requestCount: 3 } }),
    signal: controller.signal,
    onRecord: () => {},
  });
  expect(run.progress()).toMatchObject({ phase: undefined, sent: 0 });
  await vi.waitFor(() => expect(run.progress().sent).toBe(3), 20_000);
  expect(run.progress()).toMatchObject({ phase: 'profiling', sent: 3, underWay: 3, succeeded: 0, failed: 0 });
  const [before, atMs] = [run.progress().elapsedNs, performance.now()];
  while (performance.now() < atMs + 50) await new Promise(resolve => setTimeout(resolve, 10));
  expect(run.progress().elapsedNs - before).toBeGreaterThan(40e6);
  controller.abort();
  await run.finished;
});

test.each([
  [{ endpoint: 'images' as 'chat' }, 'endpoint type is "images"; chat, completions, embeddings are accepted'],
  [{ target: { urls: [] } }, 'urls is empty'],
  [{ target: { urls: ['http://'] } }, 'url is "http://"'],
  [{ target: { urls: ['ftp://host'] } }, 'http:// and https:// are accepted'],
  [{ target: { headers: { 'a b': 'c' } } }, 'header "a b" cannot be sent'],
  [{ profiling: {} }, 'profiling has neither concurrency, nor rate, nor fixedSchedule'],
  [
    { profiling: { concurrency: 1 } },
    'profiling would never end; requestCount, sessionCount or durationS is needed',
  ],
  [{ profiling: { concurrency: 0, requestCount: 1 } }, 'concurrency is 0'],
  [{ profiling: { rate: 1, fixedSchedule: true } }, 'a rate and a fixed schedule cannot both'],
  [{ profiling: { fixedSchedule: true } }, 'fixedSchedule needs inputs with timestamps'],
  [{ profiling: { concurrency: 1, requestCount: 1.5 } }, 'requestCount is 1.5'],
  [{ profiling: { concurrency: 1, durationS: 0 } }, 'durationS is 0'],
  [{ profiling: { concurrency: 1, durationS: 1, graceS: -1 } }, 'graceS is -1'],
  [{ warmup: { rate: -1, requestCount: 1 } }, 'request rate is -1'],
  [{ cancellation: { percent: 101 } }, 'cancellation: percent is 101'],
  [{ timeoutS: 0 }, 'timeoutS is 0'],
])('refuses %j', (more, message) => {
  const options = optionsFor('http://127.0.0.1:1', more as Parameters<typeof optionsFor>[1]);
  expect(() => startLoad({ ...options, onRecord: () => {} })).toThrow(message);
});
