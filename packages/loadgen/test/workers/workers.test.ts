import type { Worker } from 'node:worker_threads';
import {
  type InputsDescription,
  type LoadDescription,
  type LoadSummary,
  openWorkers,
  type PhaseEvent,
  type RequestRecord,
  ThreadError,
} from '@org/loadgen';
import { createSimulator } from '@org/simulator';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startLoad } from '../../src/run/localRun.ts';
import { file, jsonl } from '../support/files.ts';
import { clock, inputs } from '../support/load.ts';
import { chunk, DONE, END, head, rawServer, said } from '../support/server.ts';
import { WORDS } from '../support/tokenizer.ts';

const model = 'test/model';

async function simulated(options: Parameters<typeof createSimulator>[0] = {}) {
  const simulator = createSimulator({ seed: 1, speed: 50, model, ...options });
  onTestFinished(() => simulator.close());
  const { url } = await simulator.listen();
  return { simulator, url };
}

/** What `inputs()` of the other tests gives, as data. */
const SYNTHETIC: InputsDescription = {
  kind: 'synthetic',
  seed: 1,
  inputTokens: { mean: 12, stddev: 4 },
  outputTokens: { mean: 5 },
};

interface More extends Partial<Omit<LoadDescription, 'target'>> {
  readonly target?: Partial<LoadDescription['target']>;
}

/** Runs a load in so many threads; 0 is this one. */
async function loadedBy(
  workers: number,
  url: string,
  more: More = {},
  listener: { onRecord?: (record: RequestRecord) => void; signal?: AbortSignal } = {},
): Promise<{ summary: LoadSummary; records: RequestRecord[]; events: PhaseEvent[] }> {
  const records: RequestRecord[] = [];
  const events: PhaseEvent[] = [];
  const { target, inputs: described = SYNTHETIC, ...rest } = more;
  const all = {
    profiling: { concurrency: 4, requestCount: 12 },
    timeoutS: 20,
    ...rest,
    target: { urls: [url], model, streaming: true, extraInputs: { ignore_eos: true }, ...target },
  };
  const listening = {
    ...listener,
    onRecord: (record: RequestRecord) => {
      records.push(record);
      listener.onRecord?.(record);
    },
    onPhase: (event: PhaseEvent) => events.push(event),
  };
  if (workers === 0) {
    const run = startLoad({ ...all, clock, inputs: inputs(), ...listening });
    return { summary: await run.finished, records, events };
  }
  const team = await openWorkers({ ...all, inputs: described, workers, clock });
  onTestFinished(() => team.close());
  return { summary: await team.start(listening).finished, records, events };
}

/** What a seed repeats of a request. */
const repeated = ({ phase, session, turn, conversationId, requestedOutput, text }: RequestRecord) =>
  [phase, session, turn, conversationId, requestedOutput, text?.input].join(' | ');

const counts = ({ phase, sent, succeeded, failed, stopped, sessions }: LoadSummary['phases'][number]) =>
  [phase, sent, succeeded, failed, stopped, sessions].join(' ');

/** When each session was to be sent. */
const schedule = (records: readonly RequestRecord[], { phases }: LoadSummary) =>
  records
    .map(({ session, intendedNs }) => [session, intendedNs - phases[0]!.startNs])
    .sort((a, b) => a[0]! - b[0]!);

const order = ({ phase, what }: PhaseEvent) => `${phase} ${what}`;

describe('the load is the same in any number of threads', () => {
  const counted = {
    warmup: { concurrency: 3, requestCount: 5 },
    profiling: { concurrency: 7, requestCount: 40 },
  };
  const open = { profiling: { rate: 300, pattern: 'poisson', requestCount: 60 } } as const;
  const capped = {
    profiling: { rate: 300, pattern: 'gamma', smoothness: 2, concurrency: 3, requestCount: 60 },
  } as const;

  test.each<[string, Pick<LoadDescription, 'warmup' | 'profiling'>, readonly number[]]>([
    ['closed loop', counted, [1, 3]],
    ['sessions', { profiling: { concurrency: 5, sessionCount: 17 } }, [2]],
    ['fewer places than threads', { profiling: { concurrency: 1, requestCount: 6 } }, [3]],
    [
      'a ramp of places that outlasts the requests',
      { profiling: { concurrency: 8, concurrencyRampS: 600, requestCount: 6 } },
      [2],
    ],
    ['open loop', open, [3]],
    ['open loop, capped', capped, [2]],
    ['a ramp of the rate', { profiling: { rate: 300, rateRampS: 0.2, requestCount: 40 } }, [2]],
  ])('%s', async (_, phases, numbers) => {
    const { url } = await simulated();
    const alone = await loadedBy(0, url, { ...phases, keepText: true });
    for (const workers of numbers) {
      const { records, summary, events } = await loadedBy(workers, url, { ...phases, keepText: true });
      expect(records.map(repeated).sort()).toEqual(alone.records.map(repeated).sort());
      expect(summary.phases.map(counts)).toEqual(alone.summary.phases.map(counts));
      expect(events.map(order)).toEqual(alone.events.map(order));
      expect(summary).toMatchObject({ workers, lost: [], wasCancelled: false });
      if (phases.profiling.rate !== undefined) {
        expect(schedule(records, summary)).toEqual(schedule(alone.records, alone.summary));
        const used = new Set(records.map(({ workerId }) => workerId));
        expect([...used].sort()).toEqual(Array.from({ length: workers }, (_, n) => `worker_${n}`));
      }
      for (const phase of ['warmup', 'profiling']) {
        const indices = records.filter(record => record.phase === phase).map(({ index }) => index);
        expect(indices.sort((a, b) => a - b)).toEqual(indices.map((_, number) => number));
      }
    }
  });

  test('a schedule of conversations: turns stay in their thread', async () => {
    const { url } = await simulated();
    const path = jsonl(
      ...Array.from({ length: 9 }, (_, n) => ({
        session_id: `s${n}`,
        timestamp: 15 * n,
        turns: [
          { text: `a${n}`, output_length: 3 },
          { text: `b${n}`, delay: 5, output_length: 3 },
        ],
      })),
    );
    const { records, summary } = await loadedBy(2, url, {
      inputs: { kind: 'file', path },
      profiling: { fixedSchedule: true },
    });
    expect(records.flatMap(({ failure }) => failure ?? [])).toEqual([]);
    expect(summary.phases).toMatchObject([{ sent: 18, succeeded: 18, sessions: 9, stopped: 'schedule' }]);
    const first = records.filter(({ turn }) => turn === 0);
    const { startNs } = summary.phases[0]!;
    for (const { session, conversationId, intendedNs } of first) {
      expect(conversationId).toBe(`s${session}`);
      expect(intendedNs - startNs).toBe(15e6 * session);
    }
    for (const record of records.filter(({ turn }) => turn === 1)) {
      const before = first.find(({ session }) => session === record.session)!;
      expect(record).toMatchObject({ workerId: before.workerId, correlationId: before.correlationId });
      expect(record.workerId).toBe(`worker_${record.session % 2}`);
    }
  });
});

test.each<[string, LoadDescription['profiling'], number]>([
  ['requests end it', { concurrency: 5, requestCount: 31 }, 31],
  ['sessions end it', { rate: 300, concurrency: 4, sessionCount: 9 }, 27],
])('sessions of several turns, counted in sum: %s', async (_, profiling, sent) => {
  const { url } = await simulated();
  const { records, summary } = await loadedBy(3, url, {
    inputs: {
      kind: 'synthetic',
      seed: 1,
      inputTokens: { mean: 9 },
      outputTokens: { mean: 3 },
      turns: { mean: 3 },
    },
    profiling,
  });
  expect(summary.phases).toMatchObject([{ sent, succeeded: sent }]);
  const sessions = new Set(records.map(({ session }) => session));
  for (const number of sessions) {
    const turns = records.filter(({ session }) => session === number);
    expect(turns.map(({ turn }) => turn)).toEqual(turns.map((_, nth) => nth));
    expect(new Set(turns.map(({ workerId }) => workerId)).size).toBe(1);
  }
  expect(summary.phases[0]!.sessions).toBe(sessions.size);
});

test('never more places are taken than there are, and an arrival does not wait while one is free', async () => {
  let open = 0;
  let most = 0;
  const { url } = await rawServer(socket => {
    open += 1;
    most = Math.max(most, open);
    setTimeout(() => {
      open -= 1;
      socket.write(head());
      socket.write(chunk(said('a') + DONE));
      socket.write(END);
    }, 20);
  });
  const { summary } = await loadedBy(3, url, {
    profiling: { rate: 400, pattern: 'constant', concurrency: 4, requestCount: 80 },
  });
  expect(summary.phases).toMatchObject([{ sent: 80, succeeded: 80, stopped: 'requests' }]);
  expect(most).toBe(4);
});

test('no phase begins before all threads have ended the earlier one', async () => {
  const { url } = await simulated();
  const before: [string, number][] = [];
  const records: RequestRecord[] = [];
  const team = await openWorkers({
    workers: 2,
    clock,
    inputs: SYNTHETIC,
    target: { urls: [url], model, streaming: true },
    warmup: { concurrency: 7, requestCount: 20 },
    profiling: { concurrency: 7, requestCount: 20 },
  });
  onTestFinished(() => team.close());
  const run = team.start({
    onRecord: record => records.push(record),
    beforePhase: async phase => {
      await new Promise(resolve => setTimeout(resolve, 50));
      before.push([phase, Number(clock.nowNs() - run.originNs)]);
    },
  });
  expect(run.progress()).toMatchObject({ phase: undefined, sent: 0 });
  const summary = await run.finished;
  const [warmup, profiling] = summary.phases;
  expect(before.map(([phase]) => phase)).toEqual(['warmup', 'profiling']);
  const of = (phase: string) => records.filter(record => record.phase === phase);
  expect(of('warmup')).toHaveLength(20);
  expect(of('profiling')).toHaveLength(20);
  const at = before[1]![1];
  expect(Math.max(...of('warmup').map(({ endNs }) => endNs))).toBeLessThan(at);
  expect(Math.min(...of('profiling').map(({ startNs }) => startNs))).toBeGreaterThanOrEqual(at);
  expect(profiling!.startNs).toBeGreaterThan(warmup!.endNs);
  expect(Math.min(...of('profiling').map(({ session }) => session))).toBe(0);
  expect(new Set(records.map(({ conversationId }) => conversationId)).size).toBe(40);
  expect(run.progress()).toMatchObject({
    phase: 'profiling',
    sent: 20,
    succeeded: 20,
    failed: 0,
    underWay: 0,
  });
});

test('an interrupted run keeps and counts everything', async () => {
  const { url } = await simulated({ speed: 1 });
  const controller = new AbortController();
  let seen = 0;
  const { summary, records } = await loadedBy(
    2,
    url,
    { profiling: { concurrency: 6, durationS: 600 } },
    {
      signal: controller.signal,
      onRecord: () => {
        seen += 1;
        if (seen === 10) controller.abort();
      },
    },
  );
  const [profiling] = summary.phases;
  expect(summary.wasCancelled).toBe(true);
  expect(profiling).toMatchObject({ stopped: 'interrupted', sent: records.length });
  expect(profiling!.succeeded + profiling!.failed).toBe(records.length);
  expect(
    records.filter(({ failure }) => failure).every(({ failure }) => failure!.type === 'Interrupted'),
  ).toBe(true);
});

test('a thread that dies cuts the run: what came of it is kept, and the rest is counted', async () => {
  const { url } = await simulated({ speed: 1 });
  const threads: Worker[] = [];
  const onWorker = (worker: Worker): number => threads.push(worker);
  process.on('worker', onWorker);
  onTestFinished(() => void process.off('worker', onWorker));
  const seen = [0, 0];
  const { summary, records } = await loadedBy(
    2,
    url,
    { profiling: { concurrency: 6, durationS: 600 } },
    {
      // Either may be the first by far.
      onRecord: ({ workerId }) => {
        seen[Number(workerId.slice(-1))]! += 1;
        if (Math.min(...seen) === 3) void threads[1]!.terminate();
      },
    },
  );
  const [lost] = summary.lost;
  expect(summary.lost).toEqual([
    { workerId: 'worker_1', message: expect.stringContaining('exited'), requests: expect.any(Number) },
  ]);
  expect(lost!.requests).toBeGreaterThanOrEqual(1);
  expect(summary.wasCancelled).toBe(true);
  expect(summary.phases).toMatchObject([{ stopped: 'interrupted', sent: records.length + lost!.requests }]);
  const [{ sent, succeeded, failed }] = summary.phases as [LoadSummary['phases'][number]];
  expect(succeeded + failed).toBe(sent);
  expect(records.filter(({ failure }) => !failure)).toHaveLength(succeeded);
  expect(summary.warnings[0]).toMatchObject({
    kind: 'worker_lost',
    message: expect.stringContaining('worker_1'),
  });
  expect(new Set(records.map(({ workerId }) => workerId))).toEqual(new Set(['worker_0', 'worker_1']));
});

test('closing ends a run at once', async () => {
  const { url } = await simulated({ speed: 1 });
  const team = await openWorkers({
    workers: 2,
    clock,
    inputs: SYNTHETIC,
    target: { urls: [url], model, streaming: true },
    profiling: { concurrency: 4, durationS: 600 },
  });
  let closing: Promise<void> | undefined;
  const run = team.start({
    onRecord: () => {
      closing ??= team.close();
    },
  });
  const summary = await run.finished;
  await closing;
  expect(summary).toMatchObject({
    wasCancelled: true,
    phases: [{ phase: 'profiling', stopped: 'interrupted' }],
  });
  expect(summary.lost.map(({ workerId }) => workerId).sort()).toEqual(['worker_0', 'worker_1']);
});

describe('what cannot be is refused before anything is sent', () => {
  const target = { urls: ['http://localhost:1'], model, streaming: true };
  const profiling = { concurrency: 1, requestCount: 1 };
  // One refusal of two threads: the other one is ended.
  test.each([
    ['no thread', { workers: 0 }, RangeError, 'workers is 0; a whole number from 1 to 256 is accepted'],
    ['half a thread', { workers: 1.5 }, RangeError, 'workers is 1.5'],
    ['no file', { workers: 2, inputs: { kind: 'file', path: '/nowhere.jsonl' } }, Error, 'ENOENT'],
    ['no end', { profiling: { concurrency: 1 } }, RangeError, 'profiling would never end'],
    ['no tokenizer', { tokenizer: '/nowhere.json' }, Error, 'cannot read tokenizer "/nowhere.json"'],
    ['no URL', { target: { ...target, urls: ['ftp://x'] } }, RangeError, 'http:// and https:// are accepted'],
  ] as const)('%s', async (_, wrong, kind, message) => {
    const options = { workers: 1, clock, target, profiling, inputs: SYNTHETIC, ...wrong };
    const opening = openWorkers(options as Parameters<typeof openWorkers>[0]);
    await expect(opening).rejects.toThrow(message);
    await expect(opening).rejects.toBeInstanceOf(kind);
  });
});

test('a thread that ends before it is ready', async () => {
  const onWorker = (worker: Worker): void => void worker.terminate();
  process.on('worker', onWorker);
  onTestFinished(() => void process.off('worker', onWorker));
  const opening = openWorkers({
    workers: 2,
    clock,
    inputs: SYNTHETIC,
    target: { urls: ['http://localhost:1'], model, streaming: true },
    profiling: { concurrency: 1, requestCount: 1 },
  });
  await expect(opening).rejects.toThrow(/^worker_[01] ended before it was ready: it exited with code \d$/);
  await expect(opening).rejects.toBeInstanceOf(ThreadError);
});

test('tokens are counted in each thread', async () => {
  const { url } = await simulated();
  const path = file('tokenizer.json', JSON.stringify(WORDS));
  const team = await openWorkers({
    workers: 2,
    clock,
    tokenizer: path,
    inputs: { kind: 'file', path: jsonl({ text: 'the batch waits.' }) },
    target: {
      urls: [url],
      model,
      streaming: true,
      extraInputs: { ignore_eos: true, max_completion_tokens: 5 },
    },
    profiling: { concurrency: 4, requestCount: 10 },
  });
  onTestFinished(() => team.close());
  const records: RequestRecord[] = [];
  const summary = await team.start({ onRecord: record => records.push(record) }).finished;
  expect([team.tokenizer, summary.tokenizer]).toEqual([path, path]);
  expect(records).toHaveLength(10);
  for (const { tokens, arrivals, counted } of records) {
    expect(tokens).toEqual({ ...counted, source: 'client' });
    expect(counted.input).toBe(4);
    expect(counted.output).toBeGreaterThan(0);
    expect(arrivals.timesNs).toBeInstanceOf(Float64Array);
    expect([arrivals.timesNs, arrivals.tokens, arrivals.kinds].map(({ length }) => length)).toEqual([
      5, 5, 5,
    ]);
  }
});
