import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TlsOptions } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Ended, servelens } from './servelens.ts';
import { answer, identity, pemPath, type Served, serve } from './server.ts';

/** A server, how it is to be spoken to, and what the JSON export has to say about it. */
interface Case {
  readonly title: string;
  readonly answer: RequestListener;
  readonly tls?: TlsOptions;
  /** Instead of http(s)://localhost and the server's port. */
  readonly url?: (port: number) => string;
  /** Settings of its entry in the configuration file, one line each. */
  readonly settings?: readonly string[];
  readonly status: string;
  /** Of the last failure; none when there must be none. */
  readonly reason?: string;
  readonly error?: RegExp;
}

const GOOD = answer('# TYPE a_total counter\na_total 1\n');
let requests = 0;
let counted = 0;
let rotated = false;
let renewed = 0;
const CA = `tls: { ca_file: ${JSON.stringify(pemPath('ca.pem'))} }`;

const CASES: readonly Case[] = [
  {
    title: 'wants credentials',
    answer: answer('no', 401),
    status: 'no_data',
    reason: 'unauthorized',
    error: /^answered HTTP status 401; expected 200: give credentials/,
  },
  {
    title: 'forbids',
    answer: answer('no', 403),
    settings: ['bearer_token: wrong'],
    status: 'no_data',
    reason: 'forbidden',
    error: /^answered HTTP status 403; expected 200: it does not accept the credentials/,
  },
  {
    title: 'has nothing there',
    answer: answer('no', 404),
    status: 'no_data',
    reason: 'not_found',
    error: /404/,
  },
  {
    title: 'is overloaded',
    answer: answer('no', 503),
    status: 'no_data',
    reason: 'server_error',
    error: /503/,
  },
  {
    title: 'sends everybody to another host',
    answer: answer('', 302, { location: 'http://other.example/metrics' }),
    status: 'no_data',
    reason: 'redirect',
    error: /another host, http:\/\/other.example, which is not followed/,
  },
  {
    title: 'speaks no HTTP',
    answer: request => void request.socket.end('SSH-2.0\r\n'),
    status: 'no_data',
    reason: 'not_http',
    error: /something that is not HTTP/,
  },
  {
    title: 'has no name',
    answer: GOOD,
    url: port => `http://nobody.invalid:${port}/metrics`,
    status: 'no_data',
    reason: 'unknown_host',
    error: /host name that cannot be resolved/,
  },
  {
    title: 'shows an expired certificate',
    answer: GOOD,
    tls: identity('expired'),
    settings: [CA],
    status: 'no_data',
    reason: 'tls_expired',
    error: /TLS: certificate of host localhost expired on 2020-01-02 00:00:00 UTC; --insecure accepts it/,
  },
  {
    title: 'shows the certificate of another',
    answer: GOOD,
    tls: identity('otherhost'),
    settings: [CA],
    status: 'no_data',
    reason: 'tls_wrong_host',
    error: /is for other.example, more.example; expected localhost/,
  },
  {
    title: 'signed its certificate itself',
    answer: GOOD,
    tls: identity('selfsigned'),
    status: 'no_data',
    reason: 'tls_untrusted',
    error: /self-signed; --insecure accepts it, --ca-file FILE trusts it/,
  },
  {
    title: 'has an unknown issuer',
    answer: GOOD,
    tls: identity('server'),
    status: 'no_data',
    reason: 'tls_untrusted',
    error: /issued by "Servelens test CA", whom nobody here trusts/,
  },
  {
    title: 'speaks HTTP where TLS is expected',
    answer: GOOD,
    url: port => `https://localhost:${port}/metrics`,
    status: 'no_data',
    reason: 'tls_not_spoken',
    error: /answers without TLS/,
  },
  {
    title: 'speaks TLS where HTTP is expected',
    answer: GOOD,
    tls: identity('server'),
    url: port => `http://localhost:${port}/metrics`,
    status: 'no_data',
    reason: 'tls_required',
    error: /was asked in plain HTTP and speaks TLS; scrape https:\/\/localhost/,
  },
  { title: 'is trusted by a file', answer: GOOD, tls: identity('server'), settings: [CA], status: 'active' },
  {
    title: 'is believed whatever it shows',
    answer: GOOD,
    tls: identity('expired'),
    settings: ['tls: { insecure: true }'],
    status: 'active',
  },
  {
    title: 'asks for our certificate',
    answer: GOOD,
    tls: {
      ...identity('server'),
      ca: readFileSync(pemPath('ca.pem')),
      requestCert: true,
      rejectUnauthorized: true,
    },
    settings: [
      `tls: { ca_file: ${pemPath('ca.pem')}, cert_file: ${pemPath('client.pem')}, key_file: ${pemPath('client.key')} }`,
    ],
    status: 'active',
  },
  {
    title: 'sends too many samples',
    answer: answer('a 1\nb 1\nc 1\n'),
    settings: ['limits: { samples: 2 }'],
    status: 'no_data',
    reason: 'too_many_samples',
    error: /^sent 3 samples; the limit samples accepts at most 2/,
  },
  {
    title: 'sends too many labels',
    answer: answer('a{a="",b="",c=""} 1\n'),
    settings: ['limits: { labels: 2 }'],
    status: 'no_data',
    reason: 'too_many_labels',
    error: /with 3 labels; the limit labels accepts at most 2/,
  },
  {
    title: 'sends a label that is too long',
    answer: answer(`a{a="${'x'.repeat(100)}"} 1\n`),
    settings: ['limits: { label_value_bytes: 99 }'],
    status: 'no_data',
    reason: 'label_too_long',
    error: /a value of 100 bytes for label "a".*accepts at most 99/,
  },
  {
    title: 'sends a body that is too large',
    answer: answer('x'.repeat(2000)),
    settings: ['limits: { encoded_bytes: 1kB }'],
    status: 'no_data',
    reason: 'too_large',
    error: /the limit encoded_bytes accepts at most 1000/,
  },
  {
    title: 'sends a bomb',
    answer: answer(gzipSync('x'.repeat(1_000_000)), 200, { 'content-encoding': 'gzip' }),
    settings: ['limits: { decoded_bytes: 100kB }'],
    status: 'no_data',
    reason: 'too_large',
    error: /unpack to more than 100000 bytes; the limit decoded_bytes/,
  },
  {
    title: 'gives data and fails by turns',
    answer: (request, response) => answer('a 1\n', requests++ % 2 === 0 ? 200 : 500)(request, response),
    settings: ['interval: 0.05'],
    status: 'flapping',
    reason: 'server_error',
  },
  {
    title: 'is restarted',
    answer: (request, response) => {
      counted++;
      const value = counted % 5;
      answer(`# TYPE a_total counter\na_total ${value}\n`)(request, response);
    },
    settings: ['interval: 0.05'],
    status: 'active',
  },
  {
    title: 'has its token rotated',
    answer: (request, response) => {
      const { authorization } = request.headers;
      const isGood = authorization === 'Bearer second' || (authorization === 'Bearer first' && !rotated);
      if (authorization === 'Bearer second') renewed++;
      answer('a 1\n', isGood ? 200 : 401)(request, response);
    },
    settings: ['bearer_token_file: token'],
    status: 'active',
  },
];

interface Info {
  readonly status: string;
  readonly last_error: string | null;
  readonly last_error_reason?: string;
  readonly total_fetches: number;
  readonly scrapes_failed: number;
  readonly first_failure_ns?: number;
  readonly last_failure_ns?: number;
  readonly outages: readonly {
    readonly start_ns: number;
    readonly end_ns?: number;
    readonly reason: string;
  }[];
  readonly resets?: readonly {
    readonly at_ns: number;
    readonly previous_ns: number;
    readonly counters: number;
  }[];
}

const folder = mkdtempSync(join(tmpdir(), 'reach-'));
const servers: Served[] = [];
const urls: string[] = [];
let ended: Ended;
let infos: Readonly<Record<string, Info>>;

beforeAll(async () => {
  for (const one of CASES) {
    const server = await serve(one.answer, one.tls);
    servers.push(server);
    urls.push(one.url?.(server.port) ?? `${one.tls ? 'https' : 'http'}://localhost:${server.port}/metrics`);
  }
  const token = join(folder, 'token');
  writeFileSync(token, 'first\n');
  const config = join(folder, 'config.yaml');
  const entries = CASES.map(({ settings = [] }, i) =>
    [`  - url: ${urls[i]}`, ...settings.map(line => `    ${line}`)].join('\n'),
  );
  writeFileSync(config, `targets:\n${entries.join('\n')}\n`);
  const rotate = (): void => {
    // As secret stores do it: the new one is there at once, whole.
    writeFileSync(`${token}.new`, 'second\n');
    renameSync(`${token}.new`, token);
    rotated = true;
  };
  let isSoon = false;
  /** On a slow machine a run of a given length may have too few scrapes for what is looked for. */
  const hasEnough = (): boolean => requests >= 30 && counted >= 30 && renewed >= 3;
  const interrupt = (async () => {
    const atMost = performance.now() + 120_000;
    const waited = async (isThere: () => boolean): Promise<void> => {
      while (!isThere() && performance.now() < atMost) await sleep(50);
    };
    await waited(() => isSoon);
    await sleep(5000);
    await waited(hasEnough);
  })();
  ended = await servelens(
    ['collect', '--config', config, '--artifact-dir', folder, '--server-metrics-formats', 'json'],
    {
      env: { AIPERF_SERVER_METRICS_COLLECTION_FLUSH_PERIOD: '0.1' },
      interrupt,
      onStderr: said => {
        if (isSoon || !/endpoint\(s\) reachable/.test(said)) return;
        isSoon = true;
        setTimeout(rotate, 1500);
      },
    },
  );
  if (ended.code !== 0) throw new Error(`the run failed: ${ended.stderr}`);
  infos = JSON.parse(readFileSync(join(folder, 'server_metrics_export.json'), 'utf8')).summary.endpoint_info;
});

afterAll(() => {
  for (const server of servers) server.close();
  rmSync(folder, { recursive: true, force: true });
});

const infoOf = (title: string): Info => infos[urls[CASES.findIndex(one => one.title === title)]!]!;

test.each(CASES)('tells of a server that $title', ({ title, status, reason, error }) => {
  const info = infoOf(title);
  expect(info).toMatchObject({ status });
  expect(info.last_error_reason).toBe(reason);
  if (error) expect(info.last_error).toMatch(error);
  expect(info.scrapes_failed > 0).toBe(reason !== undefined);
  expect(info.total_fetches > 0).toBe(status !== 'no_data');
  if (reason === undefined) return;
  expect(info.outages[0]).toMatchObject({ reason, start_ns: info.first_failure_ns });
  expect(info.last_failure_ns).toBeGreaterThanOrEqual(info.first_failure_ns!);
});

test('each is told of on the screen once, and not at every scrape', () => {
  for (const [i, { reason, status }] of CASES.entries()) {
    const all = ended.stderr.split('\n').filter(line => line.includes(`'${urls[i]}'`));
    // On a busy machine it may be told once besides that scrapes take long, which is true then.
    const lines = all.filter(line => !line.includes('it is scraped less often while that is so'));
    expect(all.length - lines.length, all.join('\n')).toBeLessThanOrEqual(1);
    if (reason !== undefined && status === 'no_data') expect(lines, lines.join('\n')).toHaveLength(1);
    // Five outages and five returns are told of, and that it goes on so.
    expect(lines.length, lines.join('\n')).toBeLessThanOrEqual(14);
  }
});

test('restarts are noted with their time', () => {
  const { resets = [] } = infoOf('is restarted');
  expect(resets.length).toBeGreaterThanOrEqual(1);
  for (const { at_ns, previous_ns, counters } of resets) {
    expect(at_ns).toBeGreaterThan(previous_ns);
    expect(counters).toBe(1);
  }
});

test('a rotated token costs no scrape', () => {
  expect(infoOf('has its token rotated')).toMatchObject({ scrapes_failed: 0, last_error: null });
  expect(rotated).toBe(true);
});

test('the export is valid', async () => {
  const { code, stdout } = await servelens(['validate', join(folder, 'server_metrics_export.json')]);
  expect(code, stdout).toBe(0);
});
