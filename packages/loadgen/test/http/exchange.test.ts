import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { Clock } from '../../src/clock.ts';
import { fileInputs } from '../../src/input/fileInputs.ts';
import type { RequestRecord } from '../../src/requestRecord.ts';
import { jsonl } from '../support/files.ts';
import { clock, loaded } from '../support/load.ts';
import { type Answering, chunk, DONE, END, head, rawServer, said, whole } from '../support/server.ts';

/** What one request to a server like that is recorded as. */
async function recorded(answer: Answering, more: Parameters<typeof loaded>[1] = {}): Promise<RequestRecord> {
  const { url } = await rawServer(answer);
  const { records } = await loaded(url, { profiling: { concurrency: 1, requestCount: 1 }, ...more });
  expect(records).toHaveLength(1);
  return records[0]!;
}

const plain = { target: { streaming: false } };
const message = JSON.stringify({ choices: [{ message: { content: 'hi' } }] });

describe('hostile servers', () => {
  test('hangs up in mid-stream: what came before is kept', async () => {
    const record = await recorded(socket => {
      socket.write(head() + chunk(said('a')) + chunk(said('b')));
      setTimeout(() => socket.destroy(), 20);
    });
    expect(record).toMatchObject({
      failure: { type: 'ConnectionReset' },
      cancelled: false,
      arrivals: { pieces: 2 },
    });
  });

  test('hangs up without an answer', async () => {
    const record = await recorded(socket => socket.destroy());
    expect(record).toMatchObject({
      failure: { type: 'ConnectionReset' },
      resent: false,
      firstTokenNs: undefined,
    });
  });

  test('an error event in a stream', async () => {
    const record = await recorded(socket =>
      socket.write(
        Buffer.concat([
          Buffer.from(head()),
          chunk(said('a')),
          chunk('data: {"error":{"message":"out of memory","code":500}}\n\n'),
          Buffer.from(END),
        ]),
      ),
    );
    expect(record).toMatchObject({
      failure: { type: 'StreamError', code: 500, message: 'out of memory' },
      arrivals: { pieces: 1 },
    });
  });

  test('a chunk that is no JSON', async () => {
    const record = await recorded(socket =>
      socket.write(head() + chunk('data: {"choices\n\n') + chunk(said('a')) + END),
    );
    expect(record).toMatchObject({ failure: { type: 'InvalidAnswer' }, arrivals: { pieces: 1 } });
  });

  test('a slow drip, byte by byte', async () => {
    const record = await recorded(socket => {
      socket.write(head());
      const bytes = Buffer.from(said('é') + DONE);
      let at = 0;
      const timer = setInterval(() => {
        if (at < bytes.length) socket.write(chunk(bytes.subarray(at, at + 1)));
        else {
          clearInterval(timer);
          socket.write(END);
        }
        at += 1;
      }, 1);
    });
    expect(record).toMatchObject({ failure: undefined, arrivals: { pieces: 1 } });
    expect(record.traffic.reads).toBeGreaterThan(20);
    expect(record.firstTokenNs! - record.trace.firstByteNs!).toBeGreaterThan(20e6);
  });

  test('an endless stream is cut when the time is up', async () => {
    let timer: NodeJS.Timeout | undefined;
    const record = await recorded(
      socket => {
        socket.write(head());
        timer = setInterval(() => socket.write(chunk(said('a'))), 1);
      },
      { timeoutS: 0.8 },
    );
    clearInterval(timer);
    expect(record).toMatchObject({
      failure: { type: 'RequestTimeout', message: 'no complete answer within 0.8 s' },
      cancelled: false,
    });
    expect(record.arrivals.pieces).toBeGreaterThan(5);
    expect(record.endNs - record.startNs).toBeGreaterThan(640e6);
  });

  test('never answers', async () => {
    const record = await recorded(() => {}, { timeoutS: 0.1 });
    expect(record).toMatchObject({ failure: { type: 'RequestTimeout' }, status: undefined });
  });

  test.each([
    [
      'a page where a stream was asked for',
      whole('200 OK', 'text/html', '<h1>Welcome</h1>'),
      'UnexpectedContentType',
      'content-type is "text/html"; expected text/event-stream: <h1>',
    ],
    [
      'a whole answer where a stream was asked for',
      whole('200 OK', 'application/json', message),
      'UnexpectedContentType',
      'expected text/event-stream',
    ],
    [
      '429',
      whole(
        '429 Too Many Requests',
        'application/json',
        '{"error":{"message":"slow down"}}',
        'retry-after: 7\r\n',
      ),
      'HttpError',
      'HTTP status 429 (retry after 7): slow down',
    ],
    [
      '503',
      whole('503 Service Unavailable', 'text/plain', 'loading'),
      'HttpError',
      'HTTP status 503: loading',
    ],
    [
      'a redirect',
      whole('307 Temporary Redirect', 'text/plain', '', 'location: http://other/\r\n'),
      'Redirect',
      'redirects to http://other/, which is not followed',
    ],
    [
      'nothing in it',
      whole('200 OK', 'text/event-stream', DONE),
      'EmptyAnswer',
      'the answer holds no content',
    ],
    ['no HTTP', Buffer.from('SSH-2.0-OpenSSH_9\r\n'), 'InvalidAnswer', ''],
    [
      'half of what was announced',
      Buffer.from('HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: 9999\r\n\r\ndata: '),
      'ConnectionReset',
      '',
    ],
  ])('%s', async (_, bytes, type, text) => {
    const record = await recorded(socket => socket.end(bytes));
    expect(record.failure).toMatchObject({ type, message: expect.stringContaining(text) });
  });

  describe('that end in good order, and too early', () => {
    const open = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n';
    const profiling = { concurrency: 1, requestCount: 4 };

    test.each<[string, (text: string) => string | Buffer, boolean]>([
      ['by closing the connection', text => open + text, true],
      ['by a last chunk', text => Buffer.concat([Buffer.from(head()), chunk(text), Buffer.from(END)]), false],
    ])('%s: failures, once the server is known to finish its streams', async (_, answer, closes) => {
      let requests = 0;
      const { url } = await rawServer(socket => {
        const bytes = answer(requests++ === 1 ? said('a') + DONE : said('a'));
        if (closes) socket.end(bytes);
        else socket.write(bytes);
      });
      const { records, summary } = await loaded(url, { profiling });
      expect(records.map(({ failure, silentEnd }) => [failure?.type, silentEnd])).toEqual([
        [undefined, true],
        [undefined, false],
        ['UnfinishedStream', false],
        ['UnfinishedStream', false],
      ]);
      expect(summary).toMatchObject({ silentEnds: 1, phases: [{ succeeded: 2, failed: 2 }] });
      expect(summary.warnings.map(({ kind }) => kind)).toContain('silent_ends');
    });

    test('answers of a server that never finishes one, told in a warning', async () => {
      const { url } = await rawServer(socket => socket.end(open + said('a')));
      const warmup = { concurrency: 1, requestCount: 2 };
      const { records, summary } = await loaded(url, { warmup, profiling });
      expect(records.every(({ failure, silentEnd }) => failure === undefined && silentEnd)).toBe(true);
      expect(summary.silentEnds).toBe(4);
      expect(summary.warnings.find(({ kind }) => kind === 'silent_ends')!.message).toMatch(
        /^4 stream\(s\) ended without \[DONE\], finish_reason or usage/,
      );
    });
  });

  test('hints come before the answer', async () => {
    const record = await recorded(socket =>
      socket.write(`HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n${head()}${chunk(said('a'))}${END}`),
    );
    expect(record).toMatchObject({ failure: undefined, status: 200 });
  });

  test('gzip that nobody asked for', async () => {
    const stream = gzipSync(said('a') + said('b') + DONE);
    const streamed = await recorded(socket =>
      socket.write(whole('200 OK', 'text/event-stream', stream, 'content-encoding: gzip\r\n')),
    );
    expect(streamed).toMatchObject({
      failure: undefined,
      arrivals: { pieces: 2 },
      traffic: { responseBytes: stream.length },
    });
    const one = await recorded(
      socket =>
        socket.write(whole('200 OK', 'application/json', gzipSync(message), 'content-encoding: gzip\r\n')),
      plain,
    );
    expect(one).toMatchObject({ failure: undefined, arrivals: { pieces: 1 } });
  });

  test.each([
    ['http://127.0.0.1:1', 'ConnectionRefused'],
    ['http://name.invalid', 'UnknownHost'],
  ])('nobody at %s', async (url, type) => {
    const { records } = await loaded(url, { profiling: { concurrency: 1, requestCount: 1 } });
    expect(records[0]).toMatchObject({ failure: { type }, trace: { sendStartNs: undefined } });
    expect(records[0]!.endNs).toBeGreaterThanOrEqual(records[0]!.startNs);
  });
});

describe('connections', () => {
  const answered = whole('200 OK', 'application/json', message);

  test('are kept alive, and say what making them cost', async () => {
    const { url, seen } = await rawServer(socket => socket.write(answered));
    const { records } = await loaded(url, { ...plain, profiling: { concurrency: 1, requestCount: 3 } });
    expect(seen.map(({ before }) => before)).toEqual([0, 1, 2]);
    expect(records.map(({ connectionReused }) => connectionReused)).toEqual([false, true, true]);
    const [first, second] = records.map(({ trace }) => trace);
    expect(first!.connectEndNs).toBeGreaterThanOrEqual(first!.connectStartNs!);
    expect(first!.sendStartNs).toBeGreaterThanOrEqual(first!.connectEndNs!);
    expect([first!.tlsStartNs, second!.connectStartNs]).toEqual([undefined, undefined]);
  });

  test('are made anew for each request when that is asked for', async () => {
    const { url, seen } = await rawServer(socket => socket.write(answered));
    const { records } = await loaded(url, {
      ...plain,
      connectionReuse: 'never',
      profiling: { concurrency: 1, requestCount: 3 },
    });
    expect(seen.map(({ before }) => before)).toEqual([0, 0, 0]);
    expect(records.every(({ connectionReused }) => !connectionReused)).toBe(true);
  });

  test('that break while they are busy have failed', async () => {
    const { url, seen } = await rawServer((socket, { before }) => {
      if (before === 0) socket.write(answered);
      else socket.destroy();
    });
    // By this clock a machine that stops for a moment between two requests has not stopped.
    const slow: Clock = { nowNs: () => clock.nowNs() / 100n, monotonicMs: () => clock.monotonicMs() / 100 };
    const profiling = { concurrency: 1, requestCount: 4 };
    const { records } = await loaded(url, { ...plain, clock: slow, profiling });
    expect(records.map(({ failure }) => failure?.type)).toEqual([
      undefined,
      'ConnectionReset',
      undefined,
      'ConnectionReset',
    ]);
    expect(seen).toHaveLength(4);
  });

  test('that were idle and break as they are used again are no failure of the request', async () => {
    const { url, seen } = await rawServer((socket, { before }) => {
      if (before === 0) socket.write(answered);
      else socket.destroy();
    });
    const path = jsonl({ session_id: 's', turns: ['a', { text: 'b', delay: 600 }] });
    const profiling = { concurrency: 1 };
    const { records } = await loaded(url, { ...plain, inputs: await fileInputs(path), profiling });
    expect(records.map(({ failure, resent }) => [failure, resent])).toEqual([
      [undefined, false],
      [undefined, true],
    ]);
    expect(seen).toHaveLength(3);
  });

  test('count the bytes that they carry', async () => {
    const { url, seen } = await rawServer(socket => socket.write(answered));
    const { records } = await loaded(url, { ...plain, profiling: { concurrency: 1, requestCount: 2 } });
    records.forEach(({ traffic }, index) => {
      const { head: sent, body } = seen[index]!;
      expect(traffic).toMatchObject({
        bytesSent: Buffer.byteLength(`${sent}\r\n\r\n${body}`),
        requestBytes: Buffer.byteLength(body),
        bytesReceived: answered.length,
        responseBytes: message.length,
        reads: 1,
      });
    });
  });
});

describe('clients that hang up', () => {
  test('do so that long after sending, and are recorded as 499', async () => {
    const { url } = await rawServer(socket => socket.write(head() + chunk(said('a'))));
    const { records, summary } = await loaded(url, {
      cancellation: { percent: 100, delayS: 0.05 },
      profiling: { concurrency: 2, requestCount: 4 },
    });
    for (const { failure, cancelled, cancelledNs, trace } of records) {
      expect([failure?.type, failure?.code, cancelled]).toEqual(['RequestCancellationError', 499, true]);
      expect(cancelledNs! - trace.sendEndNs!).toBeGreaterThan(40e6);
    }
    expect(summary.phases[0]).toMatchObject({ failed: 4, cancelled: 4, sent: 4 });
  });
});
