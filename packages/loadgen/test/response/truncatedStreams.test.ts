import { describe, expect, test } from 'vitest';
import { recordRequest } from '../support/load.ts';
import { END, formatChunk, formatHead } from '../support/server.ts';

const format = (events: readonly object[]): string =>
  events
    .map(event => `event: ${(event as { type: string }).type}\ndata: ${JSON.stringify(event)}\n\n`)
    .join('');

const STREAMS = {
  responses: [
    { type: 'response.created', response: { id: 'r', model: 'm', usage: null } },
    { type: 'response.output_text.delta', delta: 'one' },
    { type: 'response.output_text.delta', delta: ' two' },
    { type: 'response.completed', response: { id: 'r', usage: { input_tokens: 3, output_tokens: 2 } } },
  ],
  messages: [
    { type: 'message_start', message: { id: 'm', usage: { input_tokens: 3, output_tokens: 1 } } },
    { type: 'content_block_delta', delta: { type: 'text_delta', text: 'one' } },
    { type: 'content_block_delta', delta: { type: 'text_delta', text: ' two' } },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2 } },
    { type: 'message_stop' },
  ],
} as const;

describe.each(['responses', 'messages'] as const)('a stream of %s', endpoint => {
  const events = STREAMS[endpoint];

  test('that is complete succeeds', async () => {
    const record = await recordRequest(
      socket =>
        void socket.write(
          Buffer.concat([Buffer.from(formatHead()), formatChunk(format(events)), Buffer.from(END)]),
        ),
      { endpoint },
    );
    expect([record.failure, record.finishReason, record.arrivals.pieces]).toEqual([undefined, 'stop', 2]);
  });

  test.each([1, 2, 3])(
    'that ends after %d events fails, also if HTTP reports a complete response',
    async count => {
      const part = format(events.slice(0, count));
      const record = await recordRequest(
        socket =>
          void socket.write(Buffer.concat([Buffer.from(formatHead()), formatChunk(part), Buffer.from(END)])),
        { endpoint },
      );
      expect(record.failure?.type).toBe('TruncatedStream');
    },
  );

  test('whose connection is closed in the middle fails', async () => {
    const record = await recordRequest(
      socket =>
        void socket.end(Buffer.concat([Buffer.from(formatHead()), formatChunk(format(events.slice(0, 2)))])),
      { endpoint },
    );
    expect(record.failure).toBeDefined();
    expect(record.cancelled).toBe(false);
  });
});
