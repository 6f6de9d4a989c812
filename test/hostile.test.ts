import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSimulator } from '../packages/simulator/dist/index.js';
import { type Ended, servelens } from './servelens.ts';

type Simulator = ReturnType<typeof createSimulator>;
type Fault = Simulator['control']['faults'][number];

/** A server that misbehaves, and what the JSON export has to say about it. */
interface Case {
  readonly title: string;
  /** What goes wrong before the first contact. */
  readonly before?: (server: Simulator) => Promise<void> | void;
  /** What goes wrong so many seconds after it. */
  readonly after?: readonly (readonly [seconds: number, act: (server: Simulator) => Promise<void> | void])[];
  readonly status: 'active' | 'failing' | 'disabled' | 'no_data';
  /** Matches `last_error`; null when there must be none. */
  readonly error: RegExp | null;
  /** Of each outage: why, over how many scrapes (least and most), and whether it ended. */
  readonly outages: readonly (readonly [reason: string, least: number, most: number, ended: boolean])[];
  /** Whether it never gave any data. */
  readonly silent?: true;
  /** Whether it was asked once a second only, for it had not answered yet. */
  readonly seldom?: true;
  /** Ticks that found a scrape still under way, at least, unless the machine was too busy to scrape so often. */
  readonly late?: number;
}

/** Where nobody else listens, so that nobody takes the port of a server that is down. */
const HOST = process.platform === 'linux' ? '127.0.0.3' : '127.0.0.1';
const WARMUP_S = 1;
const DURATION_S = 11;
const RUN_S = WARMUP_S + DURATION_S;
const INTERVAL_S = 0.333;
/** What an endpoint is granted when a run ends, behind the time that one answer may take. */
const FLUSH_S = 2;
const SHUTDOWN_S = 5;
/** What a busy machine is granted wherever time is measured. A 30 s stall that is waited for is longer than all of it. */
const SLACK_S = 5;
/** Ticks of an endpoint that is always there; first contact, phase edges and the flush period come on top. */
const TICKS = Math.floor(RUN_S / INTERVAL_S);

/** Each misbehaves in a way of its own; all share one run with a good server. */
const CASES: readonly Case[] = [
  {
    title: 'is down at first and comes up in the run',
    before: server => server.control.refuse(3600),
    after: [[4, server => server.control.refuse(0.1)]],
    status: 'active',
    error: /refused the connection/,
    outages: [['refused', 3, 30, true]],
    seldom: true,
  },
  {
    title: 'goes down in the middle and comes back',
    after: [[3, server => server.control.refuse(3)]],
    status: 'active',
    error: /refused the connection/,
    outages: [['refused', 2, 12, true]],
  },
  {
    title: 'answers 500, always',
    before: server => server.control.inject({ kind: 'status', status: 500 }),
    status: 'no_data',
    error: /answered HTTP status 500/,
    outages: [['server_error', 4, 40, false]],
    silent: true,
  },
  {
    title: 'answers 500 five times in the middle',
    after: [[3, server => server.control.inject({ kind: 'status', status: 500, scrapes: 5 })]],
    status: 'active',
    error: /answered HTTP status 500/,
    outages: [['server_error', 5, 5, true]],
  },
  {
    title: 'answers 200 with HTML, always',
    before: server => server.control.inject({ kind: 'html' }),
    status: 'disabled',
    error: /not Prometheus exposition format/,
    outages: [['not_prometheus', 1, 1, false]],
    silent: true,
  },
  {
    title: 'answers 200 with HTML four times in the middle',
    after: [[3, server => server.control.inject({ kind: 'html', scrapes: 4 })]],
    status: 'active',
    error: /not Prometheus exposition format/,
    outages: [['not_prometheus', 4, 4, true]],
  },
  {
    title: 'cuts its body in half, first with a length and then in chunks',
    after: [
      [
        2,
        async server => {
          await injected(server, { kind: 'truncate', framing: 'content-length', scrapes: 3 });
          // One that goes well is between them, however seldom a busy machine scrapes.
          await injected(server, { kind: 'stall', seconds: 0.001, scrapes: 1 });
          server.control.inject({ kind: 'truncate', framing: 'chunked', scrapes: 3 });
        },
      ],
    ],
    status: 'active',
    error: /before its answer was complete|of another length than announced/,
    outages: [
      ['cut', 3, 3, true],
      ['cut', 3, 3, true],
    ],
  },
  {
    title: 'stalls for 30 s once',
    after: [[4, server => server.control.inject({ kind: 'stall', seconds: 30, scrapes: 1 })]],
    status: 'active',
    error: /gave no complete answer within 10 s/,
    outages: [['timeout', 1, 1, true]],
    late: 7,
  },
  {
    title: 'sends everybody to /metrics/ with a 307',
    before: server => server.control.inject({ kind: 'redirect' }),
    status: 'active',
    error: null,
    outages: [],
  },
];

/** In a run of their own, in which an answer may take 2 s and not 10. */
const STALLS: readonly Case[] = [
  {
    title: 'stalls for 30 s at every scrape',
    before: server => server.control.inject({ kind: 'stall', seconds: 30 }),
    status: 'no_data',
    error: /gave no complete answer within 2 s/,
    outages: [['timeout', 2, 16, false]],
    silent: true,
  },
  {
    title: 'stalls for 30 s at every scrape from the middle on',
    after: [[4, server => server.control.inject({ kind: 'stall', seconds: 30 })]],
    status: 'failing',
    error: /gave no complete answer within 2 s/,
    outages: [['timeout', 2, 10, false]],
    late: 2,
  },
];

interface Summary {
  readonly end_time: string;
  readonly endpoints_configured: readonly string[];
  readonly endpoints_successful: readonly string[];
  /** Too many digits for a double: exact to some 200 ns, which is enough here. */
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
  /** How often its interval was doubled, since a scrape took longer: it is asked less often from then on. */
  readonly interval_backoffs: number;
  readonly longest_interval_ms: number;
  readonly outages: readonly {
    readonly start_ns: number;
    readonly end_ns?: number;
    readonly scrapes: number;
    readonly reason: string;
    readonly message: string;
  }[];
}

const RUNS: readonly { readonly name: string; readonly cases: readonly Case[]; readonly answerS: number }[] =
  [
    { name: 'beside servers that break', cases: CASES, answerS: 10 },
    { name: 'beside servers that stall', cases: STALLS, answerS: 2 },
  ];

/** The runs go on at the same time: most of it is waiting. */
describe.concurrent.each(RUNS)('a run of 12 s $name', ({ cases, answerS }) => {
  const good = createSimulator({ kind: 'vllm', seed: 1, arrivalRate: 5 });
  const bad = cases.map((_, i) => createSimulator({ kind: 'vllm', seed: i + 2, arrivalRate: 2 }));
  const folder = mkdtempSync(join(tmpdir(), 'hostile-'));
  let urls: string[] = [];
  let ended: Ended;
  let summary: Summary;

  beforeAll(async () => {
    urls = [];
    for (const server of [good, ...bad]) urls.push((await server.listen(0, HOST)).metricsUrl);
    await Promise.all(cases.map((one, i) => one.before?.(bad[i]!)));
    ended = await servelens(
      [
        ...['collect', '--server-metrics', ...urls, '--artifact-dir', folder],
        ...['--warmup-duration', String(WARMUP_S), '--duration', String(DURATION_S), '--slice-duration', '2'],
        ...['--server-metrics-formats', 'json', 'csv', 'jsonl', 'parquet'],
      ],
      {
        env: { AIPERF_SERVER_METRICS_REACHABILITY_TIMEOUT: String(answerS) },
        onStderr: once(/endpoint\(s\) reachable/, () => schedule(cases, bad)),
      },
    );
    if (ended.code !== 0) throw new Error(`the run failed: ${ended.stderr}`);
    summary = JSON.parse(readFileSync(join(folder, 'server_metrics_export.json'), 'utf8')).summary;
  });

  afterAll(async () => {
    await Promise.all([good, ...bad].map(server => server.close()));
    rmSync(folder, { recursive: true, force: true });
  });

  test('ends in time', () => {
    const { profiling_start_ns: start, profiling_end_ns: end, end_time } = summary;
    expect((end - start) / 1e9).toBeGreaterThan(DURATION_S - 0.1);
    expect((end - start) / 1e9).toBeLessThan(DURATION_S + SLACK_S);
    const after = Date.parse(end_time) / 1000 - end / 1e9;
    expect(after).toBeLessThan(answerS + FLUSH_S + SHUTDOWN_S + SLACK_S);
  });

  test('has all scrapes of the good server', () => {
    const info = summary.endpoint_info[urls[0]!]!;
    expect(info).toMatchObject({ status: 'active', last_error: null, scrapes_failed: 0, outages: [] });
    const stretch = info.longest_interval_ms / (1000 * INTERVAL_S);
    expect(info.total_fetches + info.scrapes_late).toBeGreaterThanOrEqual(Math.floor(TICKS / stretch));
    // A busy machine may miss ticks; whoever waits for a neighbour that hangs misses nearly all.
    expect(info.scrapes_late).toBeLessThan(TICKS / 2);
    expect(summary.endpoints_configured).toEqual(urls);
  });

  test('leaves exports that are valid', async () => {
    const names = ['json', 'csv', 'jsonl', 'parquet'].map(end => `server_metrics_export.${end}`);
    const checked = await servelens(['validate', ...names.map(name => join(folder, name))]);
    expect(checked.code, checked.stdout + checked.stderr).toBe(0);
  });

  test.each(cases)(
    'tells of the server that $title',
    ({ title, status, error, outages, silent, seldom, late }) => {
      const url = urls[1 + cases.findIndex(one => one.title === title)]!;
      const info = summary.endpoint_info[url]!;
      expect(info.status).toBe(status);
      if (error) expect(info.last_error).toMatch(error);
      else expect(info.last_error).toBeNull();
      expect(info.outages.map(({ reason, end_ns }) => [reason, end_ns !== undefined])).toEqual(
        outages.map(([reason, , , over]) => [reason, over]),
      );
      for (const [i, [, least, most]] of outages.entries()) {
        expect(info.outages[i]!.scrapes).toBeGreaterThanOrEqual(least);
        expect(info.outages[i]!.scrapes).toBeLessThanOrEqual(most);
      }
      expect(info.scrapes_failed).toBe(info.outages.reduce((sum, { scrapes }) => sum + scrapes, 0));
      const good = summary.endpoint_info[urls[0]!]!;
      // A busy machine makes intervals longer, of servers that answer at once, too.
      const isBusy = good.interval_backoffs > 0 || (!late && info.interval_backoffs > 0);
      if (silent) expect(info.total_fetches).toBe(0);
      else expect(info.total_fetches).toBeGreaterThanOrEqual(isBusy ? 1 : 9);
      const ticks = ({ total_fetches, scrapes_failed, scrapes_late }: EndpointInfo): number =>
        total_fetches + scrapes_failed + scrapes_late;
      // Nothing goes missing: each tick gave data, failed or was late; but those at a phase edge that takes long.
      if (!silent && !seldom && !late && !isBusy) expect(Math.abs(ticks(info) - ticks(good))).toBeLessThan(6);
      if (late && !isBusy) expect(info.scrapes_late).toBeGreaterThanOrEqual(late);
      expect(summary.endpoints_successful.includes(url)).toBe(info.total_fetches > 0);
    },
  );
});

/** Has something go wrong; resolves when it has. */
async function injected({ control }: Simulator, fault: Fault): Promise<void> {
  control.inject(fault);
  for (const end = performance.now() + 30_000; control.faults.length > 0 && performance.now() < end; )
    await sleep(20);
}

/** Lets the servers misbehave at their times, counted from now. */
function schedule(cases: readonly Case[], servers: readonly Simulator[]): void {
  for (const [i, { after }] of cases.entries())
    for (const [seconds, act] of after ?? []) setTimeout(() => void act(servers[i]!), seconds * 1000);
}

/** Calls back at the first text that matches. */
function once(pattern: RegExp, call: () => void): (text: string) => void {
  let done = false;
  return text => {
    if (done || !pattern.test(text)) return;
    done = true;
    call();
  };
}
