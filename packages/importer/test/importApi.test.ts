import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasUnfinishedImport } from '@org/record';
import { createBearerAuthorization, createBearerFileAuthorization, parseExactTarget } from '@org/scrape';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ApiImport, type ApiImportOptions, importApi } from '../src/importApi.ts';
import { parseSelector } from '../src/selector.ts';
import { type ApiServer, type Reply, STREAMED, startApiServer } from './support/apiServer.ts';
import { RANGE_VECTOR, readRecorded } from './support/recorded.ts';

const READ = '/api/v1/read';
const RANGE = '/api/v1/query_range';
const { from, to } = RANGE_VECTOR;
const RECORDED = { status: 200, body: readRecorded('streamed-read.bin'), type: STREAMED };

let folder: string;
let server: ApiServer;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'import-'));
  server = await startApiServer({ [READ]: RECORDED });
});

afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

function run(overrides: Partial<ApiImportOptions> = {}): Promise<ApiImport> {
  return importApi({
    target: parseExactTarget(server.url),
    selectors: [parseSelector('{job="vllm"}')],
    from: { text: '1h', ms: from },
    to: { text: 'now', ms: to },
    pieceMs: 3_600_000,
    stepMs: 5000,
    folder,
    knownTypes: new Map([['vllm:num_requests_running', 'gauge']]),
    retryPausesMs: [],
    signal: new AbortController().signal,
    ...overrides,
  });
}

/** Returns the values of a series at all scrapes. */
function readValues({ imported }: ApiImport, name: string): number[] {
  const { store } = imported.endpoints[0]!;
  const series = store.layout.series.find(({ family }) => family.name === name);
  if (series?.kind !== 'scalar') throw new Error(`no series ${name}`);
  return [...store.column(series.value)];
}

describe('remote read', () => {
  it('imports samples as stored, with the target, failed scrapes and restarts', async () => {
    const result = await run();
    const [endpoint] = result.imported.endpoints;
    expect(endpoint!.url).toBe('http://127.0.0.1:18801/metrics');
    expect(result.imported.info.targets?.[endpoint!.url]).toEqual({
      job: 'vllm',
      instance: '127.0.0.1:18801',
      labels: { pod: 'p1', role: 'decode' },
    });
    expect(endpoint!.labels).toEqual({ job: 'vllm', pod: 'p1', role: 'decode' });
    const up = RANGE_VECTOR.result.find(({ metric }) => metric.__name__ === 'up')!.values;
    const failures = up.filter(([, value]) => value === '0').length;
    expect(failures).toBeGreaterThan(0);
    expect(endpoint!.store.frameCount).toBe(up.length - failures);
    expect(endpoint!.health).toMatchObject({
      status: 'active',
      scrapes_failed: failures,
      outages: [{ scrapes: failures }],
    });
    expect(endpoint!.health.resets).toMatchObject([{ process_restarted: true }]);
    const tokens = RANGE_VECTOR.result.find(
      ({ metric }) => metric.__name__ === 'vllm:generation_tokens_total',
    )!;
    expect(readValues(result, 'vllm:generation_tokens').filter(value => !Number.isNaN(value))).toEqual(
      tokens.values.map(([, value]) => Number(value)),
    );
  });

  it('has the layout of a scrape: types, labels of the server, and whole histograms', async () => {
    const { imported } = await run();
    const { series } = imported.endpoints[0]!.store.layout;
    expect(
      series.map(({ family: { name, type }, labels }) => [name, type, Object.fromEntries(labels)]),
    ).toEqual(
      expect.arrayContaining([
        ['process_start_time_seconds', 'gauge', {}],
        ['vllm:num_requests_running', 'gauge', { engine: '0', model_name: 'servelens/simulated-8b' }],
        ['vllm:kv_cache_usage_perc', 'unknown', { engine: '0', model_name: 'servelens/simulated-8b' }],
        ['vllm:generation_tokens', 'counter', { engine: '0', model_name: 'servelens/simulated-8b' }],
        [
          'vllm:request_queue_time_seconds',
          'histogram',
          { engine: '0', model_name: 'servelens/simulated-8b' },
        ],
      ]),
    );
    const histogram = series.find(({ kind }) => kind === 'histogram');
    expect(histogram?.kind === 'histogram' && histogram.buckets.at(-1)?.le).toBe(Infinity);
    expect(imported.info.family_types).toEqual({ metadata: 0, known_server: 1, name: 3, none: 1 });
    expect(imported.info.limitations).toContain(
      'the source has no types of metrics: 4 were inferred from names and known servers, and 1 are unknown (counted per endpoint)',
    );
  });

  it('uses types and targets of the server', async () => {
    const metadata = { data: { 'vllm:kv_cache_usage_perc': [{ type: 'gauge', help: 'Used', unit: '' }] } };
    const labels = { job: 'vllm', instance: '127.0.0.1:18801' };
    const targets = {
      data: { activeTargets: [{ labels, scrapeUrl: 'http://10.0.0.1:8000/prometheus/metrics' }] },
    };
    server.replies['/api/v1/metadata'] = { status: 200, body: JSON.stringify(metadata) };
    server.replies['/api/v1/targets'] = { status: 200, body: JSON.stringify(targets) };
    const { imported } = await run();
    const [{ url, store }] = imported.endpoints as [(typeof imported.endpoints)[0]];
    expect(url).toBe('http://10.0.0.1:8000/prometheus/metrics');
    const cache = store.layout.series.find(({ family }) => family.name === 'vllm:kv_cache_usage_perc');
    expect(cache?.family).toMatchObject({ type: 'gauge', help: 'Used' });
  });

  it('has the same samples in pieces as at once', async () => {
    const whole = await run();
    const pieces = await run({ folder: join(folder, 'pieces'), pieceMs: 7000 });
    const { store } = pieces.imported.endpoints[0]!;
    expect(store.frameCount).toBe(whole.imported.endpoints[0]!.store.frameCount);
    expect(readValues(pieces, 'vllm:generation_tokens')).toEqual(readValues(whole, 'vllm:generation_tokens'));
    expect(pieces.imported.info.samples).toBe(whole.imported.info.samples);
  });

  it('has the same samples if few of them are decoded at once', async () => {
    const whole = await run();
    const parts = await run({ folder: join(folder, 'parts'), maxDecodedSamples: 40 });
    expect(readValues(parts, 'vllm:generation_tokens')).toEqual(readValues(whole, 'vllm:generation_tokens'));
    expect(parts.imported.info.samples).toBe(whole.imported.info.samples);
    expect(parts.imported.endpoints[0]!.health).toEqual(whole.imported.endpoints[0]!.health);
  });

  it('sends credentials and the tenant', async () => {
    const access = {
      headers: { 'X-Scope-OrgID': 'team1' },
      authorization: createBearerAuthorization('secret-token'),
    };
    await run({ target: { ...parseExactTarget(server.url), access } });
    const [{ headers }] = server.requests as [(typeof server.requests)[0]];
    expect(headers).toMatchObject({ 'x-scope-orgid': 'team1', authorization: 'Bearer secret-token' });
  });
});

describe('servers without remote read', () => {
  it("are read by VictoriaMetrics' export", async () => {
    server.replies[READ] = { status: 400, body: 'unsupported path requested: "/api/v1/read"' };
    server.replies['/api/v1/export'] = { status: 200, body: readRecorded('victoria-metrics.jsonl') };
    const result = await run();
    expect(result.imported.info.source).toBe('victoria_metrics');
    // The blocks of a series are not in the order of time.
    const { store, health } = result.imported.endpoints[0]!;
    expect(health).toMatchObject({ scrapes_failed: 7, outages: [{ scrapes: 7 }] });
    expect(store.frameCount).toBe(27);
  });

  it('have series in the order of their first samples, not of the response', async () => {
    const line = (name: string, first: number): string =>
      JSON.stringify({
        metric: { __name__: name, job: 'vllm', instance: 'h:1' },
        values: [1, 2, 3].slice(first),
        timestamps: [from, from + 5000, from + 10_000].slice(first),
      });
    server.replies[READ] = { status: 404 };
    // The finder of created series relies on this order.
    server.replies['/api/v1/export'] = {
      status: 200,
      body: [line('a_total', 2), line('b_total', 0), line('c', 1), line('d', 0)].join('\n'),
    };
    const { store } = (await run()).imported.endpoints[0]!;
    expect(store.layout.series.map(({ family }) => family.name)).toEqual(['b', 'd', 'c', 'a']);
  });

  it('are read by range queries, which is reported', async () => {
    server.replies[READ] = { status: 404, body: '' };
    server.replies[RANGE] = { status: 200, body: readRecorded('query-range.json') };
    const { imported } = await run();
    expect(imported.info).toMatchObject({ source: 'query_range', step_seconds: 5 });
    expect(imported.info.limitations[0]).toMatch(/^values are read at steps of 5 s, not as stored/);
    expect(imported.endpoints[0]!.starts?.wasCreated(imported.endpoints[0]!.store.layout.series[0]!)).toBe(
      false,
    );
  });

  it('are rejected if they have no other API', async () => {
    server.replies[READ] = { status: 404 };
    await expect(run()).rejects.toThrow(
      `${server.url} has no API that can be imported from: ${server.url}/api/v1/read responded with HTTP status 404`,
    );
    expect(hasUnfinishedImport(folder)).toBe(false);
  });
});

describe('failures', () => {
  it('names the options for credentials', async () => {
    server.replies[READ] = { status: 401, body: 'Unauthorized' };
    await expect(run()).rejects.toThrow(
      '/api/v1/read responded with HTTP status 401: Unauthorized; set --bearer-token-file, --basic-auth-file or --header',
    );
  });

  it('does not show credentials that the server repeats', async () => {
    server.replies[READ] = { status: 403, body: 'token secret-token expired' };
    const access = { authorization: createBearerAuthorization('secret-token') };
    await expect(run({ target: { ...parseExactTarget(server.url), access } })).rejects.toThrow(
      'responded with HTTP status 403: token <redacted> expired; the credentials were rejected',
    );
  });

  it('names the selectors and the range if there are no samples', async () => {
    server.replies[READ] = { status: 200, body: '', type: STREAMED };
    await expect(run()).rejects.toThrow(
      /has no samples that match \{job="vllm"\} from .*Z to .*Z; check --match/,
    );
    expect(hasUnfinishedImport(folder)).toBe(false);
  });

  it('reports a clock that differs', async () => {
    const date = new Date(Date.now() - 3_620_000).toUTCString();
    server.replies[READ] = (_, response) => {
      response.writeHead(200, { 'content-type': STREAMED, date }).end(RECORDED.body);
    };
    server.replies['/api/v1/metadata'] = server.replies['/api/v1/targets'] = (_, response) => {
      response.writeHead(404, { date }).end();
    };
    const message = /^the clock of the server is 60 min .* behind the clock of this machine/;
    const { imported, state } = await run();
    expect(imported.info.limitations).toContainEqual(expect.stringMatching(message));
    state.remove();
    server.replies[READ] = (_, response) => {
      response.writeHead(200, { 'content-type': STREAMED, date }).end();
    };
    await expect(run()).rejects.toThrow('behind the clock of this machine');
  });

  it('reports a server that does not respond', async () => {
    await server.close();
    await expect(run()).rejects.toThrow(`${server.url}/api/v1/read refused the connection`);
    server = await startApiServer({});
  });

  it('retries a response that was cut off', async () => {
    let attempts = 0;
    server.replies[READ] = (_, response) => {
      response.writeHead(200, { 'content-type': STREAMED });
      if (attempts++ > 0) response.end(RECORDED.body);
      else response.write(RECORDED.body.subarray(0, 500), () => response.destroy());
    };
    const messages: string[] = [];
    const { imported } = await run({
      retryPausesMs: [1],
      onEvent: event => event.type === 'retried' && messages.push(event.message),
    });
    expect(imported.endpoints).toHaveLength(1);
    expect(messages).toEqual([expect.stringContaining('/api/v1/read')]);
  });
});

describe('an interrupted import', () => {
  const pieceMs = 12_000;

  /** Lets the second request of the pieces fail. */
  function failSecond(): void {
    let requests = 0;
    server.replies[READ] = (_, response) => {
      if (++requests === 2) response.writeHead(503).end('overloaded');
      else response.writeHead(200, { 'content-type': STREAMED }).end(RECORDED.body);
    };
  }

  it('keeps the pieces and continues with the next one', async () => {
    failSecond();
    await expect(run({ pieceMs })).rejects.toThrow(
      `/api/v1/read responded with HTTP status 503: overloaded; 1 of 3 pieces of the time range were read, and no exports were written; to continue, run the same command with --artifact-dir ${folder}`,
    );
    expect(hasUnfinishedImport(folder)).toBe(true);
    server.requests.length = 0;
    // The meaning of `now` changes, but the range does not.
    const continued = await run({ pieceMs, to: { text: 'now', ms: to + 60_000 } });
    expect(server.requests.filter(({ path }) => path === READ)).toHaveLength(2);
    const whole = await run({ folder: join(folder, 'whole') });
    expect(readValues(continued, 'vllm:generation_tokens')).toEqual(
      readValues(whole, 'vllm:generation_tokens'),
    );
    expect(continued.imported.range).toEqual(whole.imported.range);
    continued.state.remove();
    expect(readdirSync(folder)).toEqual(['whole']);
  });

  it('removes the part of a piece whose response always ends half-way', async () => {
    let requests = 0;
    server.replies[READ] = (_, response) => {
      response.writeHead(200, { 'content-type': STREAMED });
      if (++requests === 1) response.end(RECORDED.body);
      else response.write(RECORDED.body.subarray(0, 5000), () => response.destroy());
    };
    await expect(run({ pieceMs, retryPausesMs: [1, 1] })).rejects.toThrow(
      /closed the connection.*; 1 of 3 pieces of the time range were read, and no exports were written/,
    );
    expect(requests).toBe(4);
    expect(readdirSync(join(folder, 'server_metrics.import')).sort()).toEqual([
      'piece-00001.data',
      'piece-00001.json',
      'plan.json',
    ]);
  });

  it('is not continued with other options', async () => {
    failSecond();
    await expect(run({ pieceMs })).rejects.toThrow('1 of 3 pieces');
    await expect(run({ pieceMs, selectors: [parseSelector('up')] })).rejects.toThrow(
      'contains an unfinished import with another --match; use the same options to continue it',
    );
    expect(existsSync(join(folder, 'server_metrics.import'))).toBe(true);
  });
});

describe('a token that expires', () => {
  const pieceMs = 12_000;
  let file: string;
  /** Tokens that the server accepts, by number of requests. */
  let accepts: (requests: number) => string;

  /** Reads the token, as a new process does. */
  function createTarget(): ApiImportOptions['target'] {
    const authorization = createBearerFileAuthorization(file);
    return { ...parseExactTarget(server.url), access: { authorization } };
  }

  beforeEach(() => {
    file = join(folder, 'token');
    writeFileSync(file, 'old');
    let requests = 0;
    const protect =
      (body: string | Uint8Array, type: string): Reply =>
      ({ headers }, response) => {
        if (headers.authorization !== `Bearer ${accepts(++requests)}`) response.writeHead(401).end('expired');
        else response.writeHead(200, { 'content-type': type }).end(body);
      };
    server.replies[READ] = protect(RECORDED.body, STREAMED);
    server.replies['/api/v1/metadata'] = server.replies['/api/v1/targets'] = protect(
      '{}',
      'application/json',
    );
  });

  it('is read again from its file', async () => {
    accepts = requests => {
      if (requests === 2) writeFileSync(file, 'new');
      return requests < 2 ? 'old' : 'new';
    };
    const { imported } = await run({ target: createTarget(), pieceMs });
    expect(imported.endpoints).toHaveLength(1);
  });

  // The second piece, and the types that are read after all three pieces.
  it.each([
    [2, 1],
    [4, 3],
  ])('before request %i keeps the pieces, and a new token continues the import', async (expired, read) => {
    accepts = requests => (requests < expired ? 'old' : 'new');
    await expect(run({ target: createTarget(), pieceMs })).rejects.toThrow(
      `responded with HTTP status 401: expired; the credentials were rejected or have expired; ${read} of 3 pieces of the time range were read, and no exports were written; to continue, run the same command`,
    );
    writeFileSync(file, 'new');
    server.requests.length = 0;
    const { imported } = await run({ target: createTarget(), pieceMs });
    expect(imported.endpoints).toHaveLength(1);
    expect(server.requests.filter(({ path }) => path === READ)).toHaveLength(3 - read);
  });
});

describe('types that cannot be read', () => {
  it('are reported', async () => {
    server.replies['/api/v1/metadata'] = { status: 500, body: 'overloaded' };
    const messages: string[] = [];
    const { imported } = await run({
      retryPausesMs: [1],
      onEvent: event => event.type === 'retried' && messages.push(event.message),
    });
    const message = `${server.url}/api/v1/metadata responded with HTTP status 500: overloaded`;
    expect(messages).toEqual([message]);
    expect(imported.info.limitations).toContain(`the types of metrics could not be read: ${message}`);
  });
});
