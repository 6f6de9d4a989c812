import { expect, test } from 'vitest';
import { Findings } from '../../../src/parquet/validate/findings.ts';
import { NEW_TIMESTAMP, SAME } from '../../../src/parquet/validate/identity.ts';
import { TimeChecker } from '../../../src/parquet/validate/time.ts';

const START = 1_765_793_061_967_310_848n;
const END = START + 60_000_000_000n;

function check(timestamps: readonly bigint[], starts = timestamps.map(() => NEW_TIMESTAMP)): string[] {
  const findings = new Findings();
  const checker = new TimeChecker({ startNs: START, endNs: END }, findings);
  const endpoints = {
    type: 'string',
    codes: new Int32Array(timestamps.length),
    texts: ['http://a/metrics'],
  } as const;
  const values = { type: 'int64', values: BigInt64Array.from(timestamps) } as const;
  checker.check(0, values, endpoints, Uint8Array.from(starts));
  return findings.listIssues().map(({ place, message }) => `${place}: ${message}`);
}

test('accepts both ends of the period, and two scrapes after it', () => {
  expect(check([START, END, END + 1n, END + 2n, END + 1n])).toEqual([]);
});

test('reports a third scrape after the period', () => {
  expect(check([END + 1n, END + 2n, END + 3n])).toEqual([
    'row 2 (counted from 0), column timestamp_ns: is 3 ns after the end of the time filter; at most two scrapes per endpoint are allowed there',
  ]);
});

test('reports a timestamp 1 ns before the period', () => {
  expect(check([START - 1n])).toEqual([
    'row 0 (counted from 0), column timestamp_ns: is 1 ns before the start of the time filter',
  ]);
});

test('reports a timestamp in milliseconds', () => {
  expect(check([START / 1_000_000n])).toEqual([
    `row 0 (counted from 0), column timestamp_ns: is ${START / 1_000_000n}; expected nanoseconds since 1970, between the years 2001 and 2100`,
  ]);
});

test('checks each timestamp of a series once', () => {
  expect(check([START - 1n, START - 1n], [NEW_TIMESTAMP, SAME])).toHaveLength(1);
});
