import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSimulator } from '../packages/simulator/dist/index.js';
import { type CommandResult, runServelens } from './servelens.ts';

type Simulator = ReturnType<typeof createSimulator>;
type Fault = Simulator['control']['faults'][number];

/** A faulty server and its expected `endpoint_info` in the JSON export. */
interface Case {
  readonly title: string;
  /** Injects a fault before the first probe. */
  readonly before?: (server: Simulator) => Promise<void> | void;
  /** Injects faults at the given number of seconds after the first probe. */
  readonly after?: readonly (readonly [
    seconds: number,
    inject: (server: Simulator) => Promise<void> | void,
  ])[];
  readonly status: 'active' | 'intermittent' | 'failing' | 'disabled' | 'no_data';
  /** Pattern of `last_error`. Null if no error is expected. */
  readonly error: RegExp | null;
  /** Expected outages: reason, minimum and maximum number of failed scrapes, and whether the outage has ended. */
  readonly outages: readonly (readonly [reason: string, min: number, max: number, hasEnded: boolean])[];
  /** True if the server never returns metrics. */
  readonly hasNoData?: true;
  /** True if the server is probed only once per second, because it has not responded yet. */
  readonly isProbedRarely?: true;
  /** True if a scrape does not end before its timeout. The ticks during it are neither failed nor late. */
  readonly isStalled?: true;
}

/** A loopback address that no other process uses, so that the port of a stopped server stays free. */
const HOST = process.platform === 'linux' ? '127.0.0.3' : '127.0.0.1';
const WARMUP_S = 1;
const DURATION_S = 11;
const RUN_S = WARMUP_S + DURATION_S;
const INTERVAL_S = 0.333;
/** Seconds allowed for the end of a run, in addition to one scrape timeout. */
const FLUSH_S = 2;
const SHUTDOWN_S = 5;
/** Tolerance of time measurements on a busy machine, in seconds. It is shorter than the stall of 30 s. */
const TOLERANCE_S = 5;
/**
 * Number of regular scrapes of an endpoint that always responds, without the first probe, barrier scrapes and
 * flush period.
 */
const TICKS = Math.floor(RUN_S / INTERVAL_S);

/** Servers with different faults, all scraped in one run together with a good server. */
const CASES: readonly Case[] = [
  {
    title: 'is down at first and starts during the run',
    before: server => server.control.refuse(3600),
    after: [[4, server => server.control.refuse(0.1)]],
    status: 'active',
    error: /refused the connection/,
    outages: [['refused', 3, 30, true]],
    isProbedRarely: true,
  },
  {
    title: 'stops in the middle and restarts',
    after: [[3, server => server.control.refuse(3)]],
    status: 'intermittent',
    error: /refused the connection/,
    outages: [['refused', 2, 12, true]],
  },
  {
    title: 'always responds with 500',
    before: server => server.control.inject({ kind: 'status', status: 500 }),
    status: 'no_data',
    error: /responded with HTTP status 500/,
    outages: [['server_error', 4, 40, false]],
    hasNoData: true,
  },
  {
    title: 'responds with 500 five times in the middle',
    after: [[3, server => server.control.inject({ kind: 'status', status: 500, scrapes: 5 })]],
    status: 'intermittent',
    error: /responded with HTTP status 500/,
    outages: [['server_error', 5, 5, true]],
  },
  {
    title: 'always responds with 200 and HTML',
    before: server => server.control.inject({ kind: 'html' }),
    status: 'disabled',
    error: /not Prometheus exposition format/,
    outages: [['not_prometheus', 1, 1, false]],
    hasNoData: true,
  },
  {
    title: 'responds with 200 and HTML four times in the middle',
    after: [[3, server => server.control.inject({ kind: 'html', scrapes: 4 })]],
    status: 'intermittent',
    error: /not Prometheus exposition format/,
    outages: [['not_prometheus', 4, 4, true]],
  },
  {
    title: 'truncates its body, first with a Content-Length and then chunked',
    after: [
      [
        2,
        async server => {
          await injectAndWait(server, { kind: 'truncate', framing: 'content-length', scrapes: 3 });
          // Waits for a successful scrape in between, so that there are two outages even on a busy machine.
          await injectAndWait(server, { kind: 'stall', seconds: 0.001, scrapes: 1 });
          server.control.inject({ kind: 'truncate', framing: 'chunked', scrapes: 3 });
        },
      ],
    ],
    status: 'intermittent',
    error: /before the response was complete|does not match its Content-Length/,
    outages: [
      ['connection_closed', 3, 3, true],
      ['connection_closed', 3, 3, true],
    ],
  },
  {
    title: 'stalls for 30 s once',
    after: [[4, server => server.control.inject({ kind: 'stall', seconds: 30, scrapes: 1 })]],
    status: 'active',
    error: /did not send a complete response within 10 s/,
    outages: [['timeout', 1, 1, true]],
    isStalled: true,
  },
  {
    title: 'redirects to /metrics/ with a 307',
    before: server => server.control.inject({ kind: 'redirect' }),
    status: 'active',
    error: null,
    outages: [],
  },
];

/** Servers that stall. They are scraped in a separate run with a timeout of 2 s instead of 10 s. */
const STALLS: readonly Case[] = [
  {
    title: 'stalls for 30 s at every scrape',
    before: server => server.control.inject({ kind: 'stall', seconds: 30 }),
    status: 'no_data',
    error: /did not send a complete response within 2 s/,
    outages: [['timeout', 2, 16, false]],
    hasNoData: true,
  },
  {
    title: 'stalls for 30 s at every scrape from the middle of the run',
    after: [[4, server => server.control.inject({ kind: 'stall', seconds: 30 })]],
    status: 'failing',
    error: /did not send a complete response within 2 s/,
    outages: [['timeout', 2, 10, false]],
    isStalled: true,
  },
];

interface Summary {
  readonly end_time: string;
  readonly endpoints_configured: readonly string[];
  readonly endpoints_successful: readonly string[];
  /** A double is exact to about 200 ns here, which is sufficient. */
  readonly profiling_start_ns: number;
  readonly profiling_end_ns: number;
  readonly endpoint_info: Readonly<Record<string, EndpointInfo>>;
}

interface EndpointInfo {
  readonly status: string;
  readonly last_error: string | null;
  readonly total_fetches: number;
  readonly scrapes_failed: number;
  readonly scrapes_late: number;
  /** Number of times the interval was doubled because a scrape took longer. */
  readonly interval_backoffs: number;
  readonly max_interval_ms: number;
  readonly outages: readonly {
    readonly start_ns: number;
    readonly end_ns?: number;
    readonly scrapes: number;
    readonly reason: string;
    readonly message: string;
  }[];
}

const RUNS: readonly { readonly name: string; readonly cases: readonly Case[]; readonly timeoutS: number }[] =
  [
    { name: 'with servers that fail', cases: CASES, timeoutS: 10 },
    { name: 'with servers that stall', cases: STALLS, timeoutS: 2 },
  ];

/** The runs execute concurrently, because they mostly wait. */
describe.concurrent.each(RUNS)('a run of 12 s $name', ({ cases, timeoutS }) => {
  const good = createSimulator({ kind: 'vllm', seed: 1, arrivalRate: 5 });
  const bad = cases.map((_, i) => createSimulator({ kind: 'vllm', seed: i + 2, arrivalRate: 2 }));
  const folder = mkdtempSync(join(tmpdir(), 'faulty-'));
  let urls: string[] = [];
  let result: CommandResult;
  let summary: Summary;

  beforeAll(async () => {
    urls = [];
    for (const server of [good, ...bad]) urls.push((await server.listen(0, HOST)).metricsUrl);
    await Promise.all(cases.map((testCase, i) => testCase.before?.(bad[i]!)));
    result = await runServelens(
      [
        ...['collect', '--server-metrics', ...urls, '--artifact-dir', folder],
        ...['--warmup-duration', String(WARMUP_S), '--duration', String(DURATION_S), '--slice-duration', '2'],
        ...['--server-metrics-formats', 'json', 'csv', 'jsonl', 'parquet'],
      ],
      {
        env: { AIPERF_SERVER_METRICS_REACHABILITY_TIMEOUT: String(timeoutS) },
        onStderr: callOnce(/endpoint\S* reachable/, () => scheduleFaults(cases, bad)),
      },
    );
    if (result.code !== 0) throw new Error(`the run failed: ${result.stderr}`);
    summary = JSON.parse(readFileSync(join(folder, 'server_metrics_export.json'), 'utf8')).summary;
  });

  afterAll(async () => {
    await Promise.all([good, ...bad].map(server => server.close()));
    rmSync(folder, { recursive: true, force: true });
  });

  test('ends on time', () => {
    const { profiling_start_ns: start, profiling_end_ns: end, end_time } = summary;
    expect((end - start) / 1e9).toBeGreaterThan(DURATION_S - 0.1);
    expect((end - start) / 1e9).toBeLessThan(DURATION_S + TOLERANCE_S);
    const endDelayS = Date.parse(end_time) / 1000 - end / 1e9;
    expect(endDelayS).toBeLessThan(timeoutS + FLUSH_S + SHUTDOWN_S + TOLERANCE_S);
  });

  test('accounts for every tick of the good server', () => {
    const info = summary.endpoint_info[urls[0]!]!;
    expect(info).toMatchObject({ status: 'active', last_error: null, scrapes_failed: 0, outages: [] });
    const slowdown = info.max_interval_ms / (1000 * INTERVAL_S);
    expect(info.total_fetches + info.scrapes_late).toBeGreaterThanOrEqual(Math.floor(TICKS / slowdown));
    // A busy machine may miss some ticks. If a stalled endpoint blocked the others, nearly all would be
    // missing.
    expect(info.scrapes_late).toBeLessThan(TICKS / 2);
    expect(summary.endpoints_configured).toEqual(urls);
  });

  test('writes valid exports', async () => {
    const names = ['json', 'csv', 'jsonl', 'parquet'].map(extension => `server_metrics_export.${extension}`);
    const checked = await runServelens(['validate', ...names.map(name => join(folder, name))]);
    expect(checked.code, checked.stdout + checked.stderr).toBe(0);
  });

  test.each(cases)(
    'records a server that $title',
    ({ title, status, error, outages, hasNoData, isProbedRarely, isStalled }) => {
      const url = urls[1 + cases.findIndex(testCase => testCase.title === title)]!;
      const info = summary.endpoint_info[url]!;
      expect(info.status).toBe(status);
      if (error) expect(info.last_error).toMatch(error);
      else expect(info.last_error).toBeNull();
      expect(info.outages.map(({ reason, end_ns }) => [reason, end_ns !== undefined])).toEqual(
        outages.map(([reason, , , hasEnded]) => [reason, hasEnded]),
      );
      for (const [i, [, min, max]] of outages.entries()) {
        expect(info.outages[i]!.scrapes).toBeGreaterThanOrEqual(min);
        expect(info.outages[i]!.scrapes).toBeLessThanOrEqual(max);
      }
      expect(info.scrapes_failed).toBe(info.outages.reduce((sum, { scrapes }) => sum + scrapes, 0));
      const good = summary.endpoint_info[urls[0]!]!;
      // On a busy machine intervals grow, even for servers that respond immediately.
      const isBusy = good.interval_backoffs > 0 || info.interval_backoffs > 0;
      if (hasNoData) expect(info.total_fetches).toBe(0);
      else expect(info.total_fetches).toBeGreaterThanOrEqual(isBusy ? 1 : 9);
      const countTicks = ({ total_fetches, scrapes_failed, scrapes_late }: EndpointInfo): number =>
        total_fetches + scrapes_failed + scrapes_late;
      // Each tick succeeded, failed or was late, except for ticks during a long barrier.
      if (!hasNoData && !isProbedRarely && !isStalled && !isBusy)
        expect(Math.abs(countTicks(info) - countTicks(good))).toBeLessThan(6);
      // An endpoint that does not respond is failing, not slow.
      if (isStalled && !isBusy) expect(info.scrapes_late).toBeLessThan(4);
      expect(summary.endpoints_successful.includes(url)).toBe(info.total_fetches > 0);
    },
  );
});

/** Injects a fault and waits until it has occurred. */
async function injectAndWait({ control }: Simulator, fault: Fault): Promise<void> {
  control.inject(fault);
  for (const end = performance.now() + 30_000; control.faults.length > 0 && performance.now() < end; )
    await sleep(20);
}

/** Schedules the faults of the servers, relative to now. */
function scheduleFaults(cases: readonly Case[], servers: readonly Simulator[]): void {
  for (const [i, { after }] of cases.entries())
    for (const [seconds, inject] of after ?? []) setTimeout(() => void inject(servers[i]!), seconds * 1000);
}

/** Returns a function that calls `call` once, for the first text that matches `pattern`. */
function callOnce(pattern: RegExp, call: () => void): (text: string) => void {
  let wasCalled = false;
  return text => {
    if (wasCalled || !pattern.test(text)) return;
    wasCalled = true;
    call();
  };
}
