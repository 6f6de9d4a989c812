import { expect, test } from 'vitest';
import { computeRequestMetrics } from '../../src/metrics/requestMetrics.ts';
import { recordRequest } from '../support/load.ts';
import { DONE, END, formatChatEvent, formatChunk, formatHead } from '../support/server.ts';

const usage = (completion_tokens: number) => ({
  usage: { prompt_tokens: 9, completion_tokens, total_tokens: 9 },
});

/** Sends a stream whose first chunk has several tokens. */
const record = (target: { readonly chunkUsage?: boolean }) =>
  recordRequest(
    socket => {
      const events =
        formatChatEvent('a b c', usage(3)) +
        formatChatEvent(' d', usage(4)) +
        formatChatEvent(' e', usage(5));
      socket.write(Buffer.concat([Buffer.from(formatHead()), formatChunk(events + DONE), Buffer.from(END)]));
    },
    { target },
  );

test('the latency between tokens counts only the tokens after the first chunk, if the server reports them', async () => {
  const withUsage = await record({ chunkUsage: true });
  const without = await record({});
  expect([withUsage.firstChunkTokens, without.firstChunkTokens]).toEqual([3, undefined]);
  const computeRatio = (measured: typeof withUsage): number => {
    const metrics = computeRequestMetrics(
      { ...measured, firstTokenNs: 0, startNs: 0, lastTokenNs: 8e6 },
      'server',
    );
    return metrics.inter_token_latency!.value as number;
  };
  // 8 ms for the 2 tokens after the first chunk, or for the 4 tokens after the first token.
  expect(computeRatio(withUsage)).toBe(4);
  expect(computeRatio(without)).toBe(2);
});

test.each([0, 5, 9])(
  'an implausible count of %d tokens in the first chunk is ignored',
  async firstChunkTokens => {
    const measured = await record({ chunkUsage: true });
    const metrics = computeRequestMetrics(
      { ...measured, firstChunkTokens, firstTokenNs: 0, startNs: 0, lastTokenNs: 8e6 },
      'server',
    );
    expect(metrics.inter_token_latency!.value).toBe(2);
  },
);
