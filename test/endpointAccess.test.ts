import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TlsOptions } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CommandResult, runServelens } from './servelens.ts';
import { getPemPath, readCertificateOptions, respondWith, startServer, type TestServer } from './server.ts';

/** A server, its entry in the configuration file, and the expected `endpoint_info` in the JSON export. */
interface Case {
  readonly title: string;
  readonly listener: RequestListener;
  readonly tls?: TlsOptions;
  /** Returns the URL to scrape. By default, the URL of the server on localhost. */
  readonly url?: (port: number) => string;
  /** Additional lines of the server's entry in the configuration file. */
  readonly settings?: readonly string[];
  readonly status: string;
  /** Reason of the last failure. Absent if no failure is expected. */
  readonly reason?: string;
  readonly error?: RegExp;
}

const GOOD = respondWith('# TYPE a_total counter\na_total 1\n');
let flappingRequests = 0;
let restartingRequests = 0;
let isRotated = false;
let requestsAfterRotation = 0;
const CA = `tls: { ca_file: ${JSON.stringify(getPemPath('ca.pem'))} }`;

const CASES: readonly Case[] = [
  {
    title: 'requires credentials',
    listener: respondWith('no', 401),
    status: 'no_data',
    reason: 'unauthorized',
    error: /^responded with HTTP status 401; expected 200: pass credentials/,
  },
  {
    title: 'rejects the credentials',
    listener: respondWith('no', 403),
    settings: ['bearer_token: wrong'],
    status: 'no_data',
    reason: 'forbidden',
    error: /^responded with HTTP status 403; expected 200: the credentials were rejected/,
  },
  {
    title: 'responds with 404',
    listener: respondWith('no', 404),
    status: 'no_data',
    reason: 'not_found',
    error: /404/,
  },
  {
    title: 'responds with 503',
    listener: respondWith('no', 503),
    status: 'no_data',
    reason: 'server_error',
    error: /503/,
  },
  {
    title: 'redirects to another host',
    listener: respondWith('', 302, { location: 'http://other.example/metrics' }),
    status: 'no_data',
    reason: 'redirect',
    error: /another host, http:\/\/other.example, which is not followed/,
  },
  {
    title: 'does not respond in HTTP',
    listener: request => void request.socket.end('SSH-2.0\r\n'),
    status: 'no_data',
    reason: 'not_http',
    error: /a response that is not HTTP/,
  },
  {
    title: 'has an unknown host name',
    listener: GOOD,
    url: port => `http://nobody.invalid:${port}/metrics`,
    status: 'no_data',
    reason: 'unknown_host',
    error: /host name that cannot be resolved/,
  },
  {
    title: 'has an expired certificate',
    listener: GOOD,
    tls: readCertificateOptions('expired'),
    settings: [CA],
    status: 'no_data',
    reason: 'tls_expired',
    error:
      /^failed the TLS handshake: certificate of host localhost expired on 2020-01-02 00:00:00 UTC; use --insecure to accept it/,
  },
  {
    title: 'has a certificate of another host',
    listener: GOOD,
    tls: readCertificateOptions('otherhost'),
    settings: [CA],
    status: 'no_data',
    reason: 'tls_wrong_host',
    error: /was issued for other.example, more.example; expected localhost/,
  },
  {
    title: 'has a self-signed certificate',
    listener: GOOD,
    tls: readCertificateOptions('selfsigned'),
    status: 'no_data',
    reason: 'tls_untrusted',
    error: /self-signed; use --insecure to accept it, or --ca-file FILE to trust it/,
  },
  {
    title: 'has a certificate of an unknown issuer',
    listener: GOOD,
    tls: readCertificateOptions('server'),
    status: 'no_data',
    reason: 'tls_untrusted',
    error: /issued by "Servelens test CA", which is not a trusted CA/,
  },
  {
    title: 'uses plain HTTP instead of TLS',
    listener: GOOD,
    url: port => `https://localhost:${port}/metrics`,
    status: 'no_data',
    reason: 'tls_not_spoken',
    error: /does not support TLS/,
  },
  {
    title: 'uses TLS instead of plain HTTP',
    listener: GOOD,
    tls: readCertificateOptions('server'),
    url: port => `http://localhost:${port}/metrics`,
    status: 'no_data',
    reason: 'tls_required',
    error: /requires TLS but was scraped over plain HTTP; use https:\/\/localhost/,
  },
  {
    title: 'is trusted through a CA file',
    listener: GOOD,
    tls: readCertificateOptions('server'),
    settings: [CA],
    status: 'active',
  },
  {
    title: 'is accepted with insecure: true',
    listener: GOOD,
    tls: readCertificateOptions('expired'),
    settings: ['tls: { insecure: true }'],
    status: 'active',
  },
  {
    title: 'requires a client certificate',
    listener: GOOD,
    tls: {
      ...readCertificateOptions('server'),
      ca: readFileSync(getPemPath('ca.pem')),
      requestCert: true,
      rejectUnauthorized: true,
    },
    settings: [
      `tls: { ca_file: ${getPemPath('ca.pem')}, cert_file: ${getPemPath('client.pem')}, key_file: ${getPemPath('client.key')} }`,
    ],
    status: 'active',
  },
  {
    title: 'sends too many samples',
    listener: respondWith('a 1\nb 1\nc 1\n'),
    settings: ['limits: { samples: 2 }'],
    status: 'no_data',
    reason: 'too_many_samples',
    error: /^sent 3 samples; the limit is 2/,
  },
  {
    title: 'sends too many labels',
    listener: respondWith('a{a="",b="",c=""} 1\n'),
    settings: ['limits: { labels: 2 }'],
    status: 'no_data',
    reason: 'too_many_labels',
    error: /with 3 labels; the limit is 2/,
  },
  {
    title: 'sends a label that is too long',
    listener: respondWith(`a{a="${'x'.repeat(100)}"} 1\n`),
    settings: ['limits: { label_value_bytes: 99 }'],
    status: 'no_data',
    reason: 'label_too_long',
    error: /a value of 100 bytes for label "a".*the limit is 99/,
  },
  {
    title: 'sends a body that is too large',
    listener: respondWith('x'.repeat(2000)),
    settings: ['limits: { encoded_bytes: 1kB }'],
    status: 'no_data',
    reason: 'too_large',
    error: /the limit is 1000/,
  },
  {
    title: 'sends a decompression bomb',
    listener: respondWith(gzipSync('x'.repeat(1_000_000)), 200, { 'content-encoding': 'gzip' }),
    settings: ['limits: { decoded_bytes: 100kB }'],
    status: 'no_data',
    reason: 'too_large',
    error: /decompress to more than 100000 bytes; the limit is/,
  },
  {
    title: 'fails every other scrape',
    listener: (request, response) =>
      respondWith('a 1\n', flappingRequests++ % 2 === 0 ? 200 : 500)(request, response),
    settings: ['interval: 0.05'],
    status: 'flapping',
    reason: 'server_error',
  },
  {
    title: 'restarts',
    listener: (request, response) => {
      restartingRequests++;
      // Both counters fall, as in a restart. A single counter that falls often behaves like a gauge.
      const value = restartingRequests % 5;
      const page = `# TYPE a_total counter\na_total ${value}\n# TYPE b_total counter\nb_total ${2 * value}\n`;
      respondWith(page)(request, response);
    },
    settings: ['interval: 0.05'],
    status: 'active',
  },
  {
    title: 'rotates its token',
    listener: (request, response) => {
      const { authorization } = request.headers;
      const isGood = authorization === 'Bearer second' || (authorization === 'Bearer first' && !isRotated);
      if (authorization === 'Bearer second') requestsAfterRotation++;
      respondWith('a 1\n', isGood ? 200 : 401)(request, response);
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

const folder = mkdtempSync(join(tmpdir(), 'endpoint-access-'));
const servers: TestServer[] = [];
const urls: string[] = [];
let result: CommandResult;
let infos: Readonly<Record<string, Info>>;

beforeAll(async () => {
  for (const testCase of CASES) {
    const server = await startServer(testCase.listener, testCase.tls);
    servers.push(server);
    urls.push(
      testCase.url?.(server.port) ?? `${testCase.tls ? 'https' : 'http'}://localhost:${server.port}/metrics`,
    );
  }
  const token = join(folder, 'token');
  writeFileSync(token, 'first\n');
  const config = join(folder, 'config.yaml');
  const entries = CASES.map(({ settings = [] }, i) =>
    [`  - url: ${urls[i]}`, ...settings.map(line => `    ${line}`)].join('\n'),
  );
  writeFileSync(config, `targets:\n${entries.join('\n')}\n`);
  const rotate = (): void => {
    // Replaces the file atomically, like a secret store.
    writeFileSync(`${token}.new`, 'second\n');
    renameSync(`${token}.new`, token);
    isRotated = true;
  };
  let hasStarted = false;
  /**
   * Reports whether the changing servers have been scraped often enough. On a slow machine, a run of fixed
   * duration may have too few scrapes.
   */
  const hasEnoughScrapes = (): boolean =>
    flappingRequests >= 30 && restartingRequests >= 30 && requestsAfterRotation >= 3;
  const interrupt = (async () => {
    const deadline = performance.now() + 120_000;
    const waitFor = async (condition: () => boolean): Promise<void> => {
      while (!condition() && performance.now() < deadline) await sleep(50);
    };
    await waitFor(() => hasStarted);
    await sleep(5000);
    await waitFor(hasEnoughScrapes);
  })();
  result = await runServelens(
    ['collect', '--config', config, '--artifact-dir', folder, '--server-metrics-formats', 'json'],
    {
      env: { AIPERF_SERVER_METRICS_COLLECTION_FLUSH_PERIOD: '0.1' },
      interrupt,
      onStderr: stderr => {
        if (hasStarted || !/endpoint\S* reachable/.test(stderr)) return;
        hasStarted = true;
        setTimeout(rotate, 1500);
      },
    },
  );
  if (result.code !== 0) throw new Error(`the run failed: ${result.stderr}`);
  infos = JSON.parse(readFileSync(join(folder, 'server_metrics_export.json'), 'utf8')).summary.endpoint_info;
});

afterAll(() => {
  for (const server of servers) server.close();
  rmSync(folder, { recursive: true, force: true });
});

const findInfo = (title: string): Info =>
  infos[urls[CASES.findIndex(testCase => testCase.title === title)]!]!;

test.each(CASES)('records a server that $title', ({ title, status, reason, error }) => {
  const info = findInfo(title);
  expect(info).toMatchObject({ status });
  expect(info.last_error_reason).toBe(reason);
  if (error) expect(info.last_error).toMatch(error);
  expect(info.scrapes_failed > 0).toBe(reason !== undefined);
  expect(info.total_fetches > 0).toBe(status !== 'no_data');
  if (reason === undefined) return;
  expect(info.outages[0]).toMatchObject({ reason, start_ns: info.first_failure_ns });
  expect(info.last_failure_ns).toBeGreaterThanOrEqual(info.first_failure_ns!);
});

test('logs a failing endpoint once, not at every scrape', () => {
  for (const [i, { reason, status }] of CASES.entries()) {
    const endpointLines = result.stderr.split('\n').filter(line => line.includes(`'${urls[i]}'`));
    // On a busy machine, another line may report a longer interval.
    const lines = endpointLines.filter(line => !/scraped less often|scrape interval increased/.test(line));
    expect(endpointLines.length - lines.length, endpointLines.join('\n')).toBeLessThanOrEqual(1);
    if (reason !== undefined && status === 'no_data') expect(lines, lines.join('\n')).toHaveLength(1);
    // Five failures and recoveries are logged before the endpoint is reported as flapping.
    expect(lines.length, lines.join('\n')).toBeLessThanOrEqual(14);
  }
});

test('records resets with their time', () => {
  const { resets = [] } = findInfo('restarts');
  expect(resets.length).toBeGreaterThanOrEqual(1);
  for (const { at_ns, previous_ns, counters } of resets) {
    expect(at_ns).toBeGreaterThan(previous_ns);
    expect(counters).toBe(2);
  }
});

test('loses no scrape when a token is rotated', () => {
  expect(findInfo('rotates its token')).toMatchObject({ scrapes_failed: 0, last_error: null });
  expect(isRotated).toBe(true);
});

test('writes a valid export', async () => {
  const { code, stdout } = await runServelens(['validate', join(folder, 'server_metrics_export.json')]);
  expect(code, stdout).toBe(0);
});
