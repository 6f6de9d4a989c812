import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { recordRequest, runLoad } from '../support/load.ts';
import {
  CHAT_BODY,
  DONE,
  END,
  formatChatEvent,
  formatChunk,
  formatHead,
  formatResponse,
  startRawServer,
} from '../support/server.ts';

test('keeps the content received before a connection breaks', async () => {
  const record = await recordRequest(socket => {
    socket.write(formatHead() + formatChunk(formatChatEvent('a')) + formatChunk(formatChatEvent('b')));
    setTimeout(() => socket.destroy(), 20);
  });
  expect(record).toMatchObject({
    failure: { type: 'ConnectionReset' },
    cancelled: false,
    arrivals: { pieces: 2 },
  });
});

test('reports an error event in a stream', async () => {
  const record = await recordRequest(socket =>
    socket.write(
      Buffer.concat([
        Buffer.from(formatHead()),
        formatChunk(formatChatEvent('a')),
        formatChunk('data: {"error":{"message":"out of memory","code":500}}\n\n'),
        Buffer.from(END),
      ]),
    ),
  );
  expect(record).toMatchObject({
    failure: { type: 'StreamError', code: 500, message: 'out of memory' },
    arrivals: { pieces: 1 },
  });
});

test('reports a chunk that is not JSON', async () => {
  const record = await recordRequest(socket =>
    socket.write(formatHead() + formatChunk('data: {"choices\n\n') + formatChunk(formatChatEvent('a')) + END),
  );
  expect(record).toMatchObject({ failure: { type: 'InvalidResponse' }, arrivals: { pieces: 1 } });
});

test('reads a stream that arrives one byte at a time', async () => {
  const record = await recordRequest(socket => {
    socket.write(formatHead());
    const bytes = Buffer.from(formatChatEvent('é') + DONE);
    let at = 0;
    const timer = setInterval(() => {
      if (at < bytes.length) socket.write(formatChunk(bytes.subarray(at, at + 1)));
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

test.each([
  [
    'an HTML page instead of a stream',
    formatResponse('200 OK', 'text/html', '<h1>Welcome</h1>'),
    'UnexpectedContentType',
    'content-type is "text/html"; expected text/event-stream: <h1>',
  ],
  [
    'a JSON response instead of a stream',
    formatResponse('200 OK', 'application/json', CHAT_BODY),
    'UnexpectedContentType',
    'expected text/event-stream',
  ],
  [
    '429',
    formatResponse(
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
    formatResponse('503 Service Unavailable', 'text/plain', 'loading'),
    'HttpError',
    'HTTP status 503: loading',
  ],
  [
    'a redirect',
    formatResponse('307 Temporary Redirect', 'text/plain', '', 'location: http://other/\r\n'),
    'Redirect',
    'redirect to http://other/; redirects are not followed',
  ],
  [
    'an empty stream',
    formatResponse('200 OK', 'text/event-stream', DONE),
    'EmptyResponse',
    'the response has no content',
  ],
  ['a response that is not HTTP', Buffer.from('SSH-2.0-OpenSSH_9\r\n'), 'InvalidResponse', ''],
  [
    'a body shorter than its content-length',
    Buffer.from('HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: 9999\r\n\r\ndata: '),
    'ConnectionReset',
    '',
  ],
])('reports %s', async (_, bytes, type, text) => {
  const record = await recordRequest(socket => socket.end(bytes));
  expect(record.failure).toMatchObject({ type, message: expect.stringContaining(text) });
});

describe('truncated streams on cleanly closed connections', () => {
  const closingHead = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n';
  const profiling = { concurrency: 1, requestCount: 4 };

  test.each<[string, (text: string) => string | Buffer, boolean]>([
    ['with a closed connection', text => closingHead + text, true],
    [
      'with a final chunk',
      text => Buffer.concat([Buffer.from(formatHead()), formatChunk(text), Buffer.from(END)]),
      false,
    ],
  ])('fail %s after the server has sent an end marker', async (_, formatStream, closesConnection) => {
    let requests = 0;
    const { url } = await startRawServer(socket => {
      const bytes = formatStream(requests++ === 1 ? formatChatEvent('a') + DONE : formatChatEvent('a'));
      if (closesConnection) socket.end(bytes);
      else socket.write(bytes);
    });
    const { records, summary } = await runLoad(url, { profiling });
    expect(records.map(({ failure, missingEndMarker }) => [failure?.type, missingEndMarker])).toEqual([
      [undefined, true],
      [undefined, false],
      ['TruncatedStream', false],
      ['TruncatedStream', false],
    ]);
    expect(summary).toMatchObject({ missingEndMarkers: 1, phases: [{ succeeded: 2, failed: 2 }] });
    expect(summary.warnings.map(({ kind }) => kind)).toContain('missing_end_markers');
  });

  test('count as successful, with a warning, if the server never sends an end marker', async () => {
    const { url } = await startRawServer(socket => socket.end(closingHead + formatChatEvent('a')));
    const warmup = { concurrency: 1, requestCount: 2 };
    const { records, summary } = await runLoad(url, { warmup, profiling });
    expect(records.every(({ failure, missingEndMarker }) => failure === undefined && missingEndMarker)).toBe(
      true,
    );
    expect(summary.missingEndMarkers).toBe(4);
    expect(summary.warnings.find(({ kind }) => kind === 'missing_end_markers')!.message).toMatch(
      /^4 streams ended without \[DONE\], finish_reason or usage/,
    );
  });
});

test('decompresses a gzip response', async () => {
  const stream = gzipSync(formatChatEvent('a') + formatChatEvent('b') + DONE);
  const streamed = await recordRequest(socket =>
    socket.write(formatResponse('200 OK', 'text/event-stream', stream, 'content-encoding: gzip\r\n')),
  );
  expect(streamed).toMatchObject({
    failure: undefined,
    arrivals: { pieces: 2 },
    traffic: { responseBytes: stream.length },
  });
  const json = await recordRequest(
    socket =>
      socket.write(
        formatResponse('200 OK', 'application/json', gzipSync(CHAT_BODY), 'content-encoding: gzip\r\n'),
      ),
    { target: { streaming: false } },
  );
  expect(json).toMatchObject({ failure: undefined, arrivals: { pieces: 1 } });
});

test('a request is cancelled after the delay and recorded with status 499', async () => {
  const { url } = await startRawServer(socket =>
    socket.write(formatHead() + formatChunk(formatChatEvent('a'))),
  );
  const { records, summary } = await runLoad(url, {
    cancellation: { percent: 100, delayS: 0.05 },
    profiling: { concurrency: 2, requestCount: 4 },
  });
  for (const { failure, cancelled, cancelledNs, trace } of records) {
    expect([failure?.type, failure?.code, cancelled]).toEqual(['RequestCancellationError', 499, true]);
    expect(cancelledNs! - trace.sendEndNs!).toBeGreaterThan(40e6);
  }
  expect(summary.phases[0]).toMatchObject({ failed: 0, cancelled: 4, sent: 4 });
});
