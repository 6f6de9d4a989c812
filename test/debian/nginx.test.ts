import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createSyntheticInputs,
  type LoadSummary,
  type RequestRecord,
  startLoad,
} from '../../packages/loadgen/dist/index.js';
import { type Service, startService } from '../service.ts';

const isEnabled = process.env.SERVELENS_DEBIAN === '1';

/** Number of requests, sent over up to 8 connections. */
const REQUESTS = 400;
const TOKENS = 50;

/** The response of nginx to every request: a prepared stream with one 3-byte character. */
const STREAM = [
  ': a comment',
  ...Array.from(
    { length: TOKENS },
    (_, index) => `data: ${formatChunk({ content: index % 7 === 0 ? ' 語' : ' word' })}`,
  ),
  `data: ${JSON.stringify({ choices: [], usage: { prompt_tokens: 9, completion_tokens: TOKENS, total_tokens: 9 + TOKENS } })}`,
  'data: [DONE]',
]
  .map(event => `${event}\n\n`)
  .join('');

function formatChunk(delta: object): string {
  return JSON.stringify({
    id: 'chatcmpl-1',
    model: 'canned',
    choices: [{ index: 0, delta, finish_reason: null }],
  });
}

/** An entry of nginx's access log. `totalResponseBytes` includes the header. */
interface LogEntry {
  readonly id: string;
  readonly requestBytes: number;
  readonly totalResponseBytes: number;
  readonly bodyBytes: number;
  /** Number of requests on the connection so far, including this request. */
  readonly connectionRequests: number;
}

/** Compares the load generator's counts with the log of a third-party server. */
describe.skipIf(!isEnabled)('a load on nginx', () => {
  let folder: string;
  let service: Service;
  let summary: LoadSummary;
  let logged: Map<string, LogEntry>;
  const records: RequestRecord[] = [];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'debian-nginx-'));
    mkdirSync(join(folder, 'tmp'));
    service = await startService(
      '/usr/sbin/nginx',
      port => ['-p', folder, '-c', formatConfiguration(folder, port)],
      '/up',
    );
    summary = await runLoad(service.url, records);
    // nginx writes a log entry after sending the response, possibly after the client has read the response.
    for (let round = 0; round < 50 && readLog(folder).size < REQUESTS; round++) await sleep(100);
    logged = readLog(folder);
  });

  afterAll(async () => {
    await service?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test('counts the requests of the log, without failures', () => {
    expect(records.filter(({ failure }) => failure)).toEqual([]);
    expect(summary.phases).toMatchObject([{ sent: REQUESTS, succeeded: REQUESTS, failed: 0 }]);
    expect([...logged.keys()].sort()).toEqual(records.map(({ requestId }) => requestId).sort());
  });

  test('reads every event of every stream', () => {
    for (const { arrivals, text, usage, servedModel } of records) {
      expect(arrivals.pieces).toBe(TOKENS);
      expect(text!.output.split(' ')).toHaveLength(TOKENS + 1);
      expect(text!.output).toContain('語');
      expect([usage!.completionTokens, servedModel]).toEqual([TOKENS, 'canned']);
    }
  });

  test('counts the bytes of the log, request by request', () => {
    for (const { requestId, traffic } of records) {
      const { requestBytes, totalResponseBytes, bodyBytes } = logged.get(requestId)!;
      expect(traffic).toMatchObject({
        bytesSent: requestBytes,
        bytesReceived: totalResponseBytes,
        responseBytes: bodyBytes,
      });
    }
  });

  test('reports for each request whether its connection was new', () => {
    const reportedIds = records
      .filter(({ connectionReused }) => !connectionReused)
      .map(({ requestId }) => requestId);
    const loggedIds = [...logged.values()]
      .filter(({ connectionRequests }) => connectionRequests === 1)
      .map(({ id }) => id);
    expect(reportedIds.sort()).toEqual(loggedIds.sort());
    // Few connections are needed: up to 8 requests are in flight, and nginx closes a connection after 1000
    // requests.
    expect(reportedIds.length).toBeLessThan(32);
  });
});

async function runLoad(url: string, records: RequestRecord[]): Promise<LoadSummary> {
  const startNs = process.hrtime.bigint();
  const wallNs = BigInt(Date.now()) * 1_000_000n;
  return startLoad({
    clock: {
      nowNs: () => wallNs + (process.hrtime.bigint() - startNs),
      monotonicMs: () => performance.now(),
    },
    target: { urls: [url], model: 'canned', streaming: true },
    inputs: createSyntheticInputs({ seed: 1, inputTokens: { mean: 100, stddev: 40 } }),
    profiling: { concurrency: 8, requestCount: REQUESTS },
    timeoutS: 60,
    keepText: true,
    onRecord: record => records.push(record),
  }).finished;
}

function formatConfiguration(folder: string, port: number): string {
  const path = join(folder, 'nginx.conf');
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    name => `  ${name}_temp_path ${folder}/tmp;`,
  );
  const lines = [
    'daemon off;',
    'master_process off;',
    `pid ${folder}/pid;`,
    `error_log stderr;`,
    'events {}',
    'http {',
    ...temporary,
    `  log_format lengths '$http_x_request_id $request_length $content_length $bytes_sent $body_bytes_sent $connection_requests';`,
    `  access_log ${folder}/access.log lengths;`,
    '  server {',
    `    listen 127.0.0.1:${port};`,
    '    location = /up { access_log off; return 200; }',
    // nginx rejects POST requests for files with 405, but an error page may be a file.
    '    location /v1/ { return 405; error_page 405 =200 /stream; }',
    `    location = /stream { internal; default_type text/event-stream; alias ${folder}/stream; }`,
    '  }',
    '}',
  ];
  writeFileSync(join(folder, 'stream'), STREAM);
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}

function readLog(folder: string): Map<string, LogEntry> {
  const lines = readFileSync(join(folder, 'access.log'), 'utf8').split('\n').filter(Boolean);
  return new Map(
    lines.map(line => {
      const [id, ...numbers] = line.split(' ');
      const [headBytes, contentBytes, totalResponseBytes, bodyBytes, connectionRequests] = numbers.map(
        Number,
      ) as [number, number, number, number, number];
      // $request_length does not include the request body, because nginx does not read it.
      return [
        id!,
        {
          id: id!,
          requestBytes: headBytes + contentBytes,
          totalResponseBytes,
          bodyBytes,
          connectionRequests,
        },
      ];
    }),
  );
}
