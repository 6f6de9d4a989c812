import { Random } from '@org/core';
import { expect, test } from 'vitest';
import { computeRequestMetrics } from '../../src/metrics/requestMetrics.ts';
import type { RequestRecord } from '../../src/requestRecord.ts';
import { clock, runLoad } from '../support/load.ts';
import { DONE, END, formatChatEvent, formatChunk, formatHead, startRawServer } from '../support/server.ts';

function blockLoop(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

test('no chunk is dated before the server wrote it, even if the event loop is busy', async () => {
  const { url } = await startRawServer(socket => {
    socket.write(formatHead());
    let chunks = 0;
    const timer = setInterval(() => {
      // The loop is busy before and after each write, so that the middle of the busy time precedes the write.
      blockLoop(3);
      socket.write(formatChunk(formatChatEvent(`${clock.nowNs()} `)));
      chunks += 1;
      if (chunks < 12) return;
      clearInterval(timer);
      socket.write(formatChunk(DONE) + END);
    }, 1);
  });
  const { records, summary } = await runLoad(url, {
    keepText: true,
    profiling: { concurrency: 4, requestCount: 8 },
  });
  for (const { text, arrivals } of records) {
    const writeTimes = text!.output.trim().split(' ').map(BigInt);
    expect(writeTimes).toHaveLength(12);
    const errors = writeTimes.map(
      (time, index) => arrivals.timesNs[index]! - Number(time - summary.originNs),
    );
    expect(Math.min(...errors)).toBeGreaterThanOrEqual(0);
  }
});

/** Returns the metrics of a request that contradict each other, or are out of bounds. */
function findContradictions(record: RequestRecord): string[] {
  const metrics = computeRequestMetrics(record);
  const read = (tag: string): number => metrics[tag]!.value as number;
  const gaps = metrics.inter_chunk_latency?.value ?? [];
  const [latency, firstToken, setup] = ['request_latency', 'time_to_first_token', 'stream_setup_latency'].map(
    read,
  );
  const checks: Record<string, boolean> = {
    'time to first token within latency': firstToken! > 0 && firstToken! <= latency!,
    'headers before first token': setup! > 0 && setup! <= firstToken!,
    'latency within the request': latency! <= (record.endNs - record.startNs) / 1e6,
    'gaps add up':
      Math.abs((gaps as number[]).reduce((sum, gap) => sum + gap, 0) - (latency! - firstToken!)) < 1e-6,
    'no negative gap': (gaps as number[]).every(gap => gap >= 0),
    'gap of the second token': !('time_to_second_token' in metrics) || read('time_to_second_token') > 0,
    'gap between tokens': !('inter_token_latency' in metrics) || read('inter_token_latency') <= latency!,
    'steps of the exchange': Object.entries(metrics).every(
      ([tag, { value }]) => !tag.startsWith('http_req') || (value as number) >= 0,
    ),
  };
  return Object.entries(checks).flatMap(([name, isMet]) => (isMet ? [] : [name]));
}

test('no metric of a stream is out of bounds, however its bytes are split', async () => {
  const random = new Random(3);
  const { url } = await startRawServer(async socket => {
    const lineEnd = ['\n', '\r\n', '\r'][random.below(3)]!;
    const words = Array.from({ length: 1 + random.below(20) }, () => formatChatEvent('word '));
    const text = [...words, DONE].join('').replaceAll('\n', lineEnd);
    const head = Buffer.from(formatHead());
    const body = Array.from({ length: Math.ceil(text.length / 37) }, (_, part) =>
      formatChunk(text.slice(37 * part, 37 * part + 37)),
    );
    const bytes = Buffer.concat([head, Buffer.from(body.join('') + END)]);
    for (let at = 0; at < bytes.length; ) {
      const length = 1 + random.below(200);
      socket.write(bytes.subarray(at, at + length));
      at += length;
      if (random.below(3) > 0) await new Promise(resolve => setTimeout(resolve, random.below(3)));
    }
  });
  const { records } = await runLoad(url, { profiling: { concurrency: 16, requestCount: 120 } });
  expect(records.map(({ failure }) => failure)).toEqual(Array(120).fill(undefined));
  expect(records.flatMap(findContradictions)).toEqual([]);
});
