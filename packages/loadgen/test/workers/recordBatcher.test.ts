import { expect, onTestFinished, test } from 'vitest';
import type { RequestRecord } from '../../src/requestRecord.ts';
import { Ledger } from '../../src/run/ledger.ts';
import { RecordBatcher } from '../../src/workers/recordBatcher.ts';
import { createRecord } from '../support/record.ts';

function createBatcher() {
  const posted: { records: readonly RequestRecord[]; bytes: number }[] = [];
  const ledger = new Ledger(1);
  let currentNs = 0;
  let releases = 0;
  const batcher = new RecordBatcher({
    post: (records, bytes) => posted.push({ records, bytes }),
    ledger,
    worker: 0,
    nowNs: () => currentNs,
    onRelease: () => {
      releases += 1;
    },
  });
  onTestFinished(() => void batcher.close());
  return {
    batcher,
    posted,
    ledger,
    advanceClock: (ns: number) => (currentNs += ns),
    countReleases: () => releases,
  };
}

const sleep = (ms: number) => new Promise(resolve => setTimeout(resolve, ms));

test('posts a single record after a short wait', async () => {
  const { batcher, posted } = createBatcher();
  batcher.add(createRecord());
  expect(posted).toEqual([]);
  await sleep(200);
  expect(posted.map(({ records }) => records.length)).toEqual([1]);
});

test('posts full batches at once, and the remaining records on close', () => {
  const { batcher, posted } = createBatcher();
  for (let n = 0; n < 70; n++) batcher.add(createRecord({ index: n }));
  expect(posted.map(({ records }) => records.length)).toEqual([64]);
  batcher.close();
  expect(posted.flatMap(({ records }) => records.map(({ index }) => index))).toEqual(
    Array.from({ length: 70 }, (_, n) => n),
  );
});

test('does not post unused capacity of arrays', () => {
  const { batcher, posted } = createBatcher();
  const { arrivals } = createRecord();
  const timesNs = new Float64Array(1000).subarray(0, 3);
  batcher.add(
    createRecord({ arrivals: { ...arrivals, timesNs, kinds: new Uint8Array(1000).subarray(0, 3) } }),
  );
  batcher.close();
  const [record] = posted[0]!.records;
  expect(record!.arrivals.timesNs).toHaveLength(3);
  expect(record!.arrivals.timesNs.buffer.byteLength).toBe(24);
  expect(record!.arrivals.kinds.buffer.byteLength).toBe(3);
});

test('pauses sending while too many records are pending, and measures the pause', async () => {
  const { batcher, posted, ledger, advanceClock, countReleases } = createBatcher();
  const output = 'x'.repeat(1 << 20);
  expect(batcher.isPaused()).toBe(false);
  for (let n = 0; n < 65; n++) batcher.add(createRecord({ text: { input: '', output, reasoning: '' } }));
  batcher.flush();
  expect(batcher.isPaused()).toBe(true);
  advanceClock(3_000);
  await sleep(200);
  expect(countReleases()).toBe(0);
  ledger.add(0, 'processedBytes', posted[0]!.bytes);
  await sleep(200);
  expect(countReleases()).toBe(1);
  expect(batcher.isPaused()).toBe(false);
  expect(batcher.close()).toBe(3_000);
});
