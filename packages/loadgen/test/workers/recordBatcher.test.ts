import { expect, onTestFinished, test } from 'vitest';
import type { RequestRecord } from '../../src/requestRecord.ts';
import { Ledger } from '../../src/run/ledger.ts';
import { Outbox } from '../../src/workers/recordBatcher.ts';
import { recordOf } from '../support/record.ts';

function opened() {
  const posted: { records: readonly RequestRecord[]; weight: number }[] = [];
  const ledger = new Ledger(1);
  let now = 0;
  let released = 0;
  const outbox = new Outbox({
    post: (records, weight) => posted.push({ records, weight }),
    ledger,
    worker: 0,
    nowNs: () => now,
    onRelease: () => {
      released += 1;
    },
  });
  onTestFinished(() => void outbox.close());
  return { outbox, posted, ledger, pass: (ns: number) => (now += ns), released: () => released };
}

const later = (ms: number) => new Promise(resolve => setTimeout(resolve, ms));

test('a record waits for others, but not long', async () => {
  const { outbox, posted } = opened();
  outbox.take(recordOf());
  expect(posted).toEqual([]);
  await later(200);
  expect(posted.map(({ records }) => records.length)).toEqual([1]);
});

test('many records go at once, and the last ones when it is closed', () => {
  const { outbox, posted } = opened();
  for (let n = 0; n < 70; n++) outbox.take(recordOf({ index: n }));
  expect(posted.map(({ records }) => records.length)).toEqual([64]);
  outbox.close();
  expect(posted.flatMap(({ records }) => records.map(({ index }) => index))).toEqual(
    Array.from({ length: 70 }, (_, n) => n),
  );
});

test('room for more pieces is not handed over', () => {
  const { outbox, posted } = opened();
  const { arrivals } = recordOf();
  const timesNs = new Float64Array(1000).subarray(0, 3);
  outbox.take(recordOf({ arrivals: { ...arrivals, timesNs, kinds: new Uint8Array(1000).subarray(0, 3) } }));
  outbox.close();
  const [record] = posted[0]!.records;
  expect(record!.arrivals.timesNs).toHaveLength(3);
  expect(record!.arrivals.timesNs.buffer.byteLength).toBe(24);
  expect(record!.arrivals.kinds.buffer.byteLength).toBe(3);
});

test('holds when too much is on its way, and says for how long', async () => {
  const { outbox, posted, ledger, pass, released } = opened();
  const output = 'x'.repeat(1 << 20);
  expect(outbox.isHeld()).toBe(false);
  for (let n = 0; n < 65; n++) outbox.take(recordOf({ text: { input: '', output, reasoning: '' } }));
  outbox.flush();
  expect(outbox.isHeld()).toBe(true);
  pass(3_000);
  await later(200);
  expect(released()).toBe(0);
  ledger.add(0, 'taken', posted[0]!.weight);
  await later(200);
  expect(released()).toBe(1);
  expect(outbox.isHeld()).toBe(false);
  expect(outbox.close()).toBe(3_000);
});
