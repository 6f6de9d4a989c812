import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProfileRecord } from '@org/formats';
import { RunInputError } from '@org/record';
import { expect, test } from 'vitest';
import type { RecoverEvent } from '../../src/events.ts';
import { type LineCounts, readRequests } from '../../src/recover/readRequests.ts';
import { createFolder } from '../plans.ts';

const START_NS = 1_795_248_930_000_000_000n;

/** Formats the line of a request that starts `seconds` after the start of the run. */
function formatLine(seconds: number): string {
  const startNs = START_NS + BigInt(seconds) * 1_000_000_000n;
  const line: unknown = {
    metadata: {
      session_num: Math.max(0, seconds),
      x_request_id: 'r',
      turn_index: 0,
      request_start_ns: 'START',
      request_end_ns: 'START',
      worker_id: 'worker_0',
      record_processor_id: 'record_processor_0',
      benchmark_phase: 'profiling',
      was_cancelled: false,
    },
    metrics: { request_latency: { value: 1, unit: 'ms' } },
    error: null,
  };
  return JSON.stringify(line).replaceAll('"START"', String(startNs));
}

async function read(path: string): Promise<{
  counts: LineCounts;
  lines: ProfileRecord[];
  events: RecoverEvent[];
}> {
  const lines: ProfileRecord[] = [];
  const events: RecoverEvent[] = [];
  const counts = await readRequests(
    path,
    START_NS,
    line => lines.push(line),
    event => events.push(event),
  );
  return { counts, lines, events };
}

function writeRequests(text: string): string {
  const path = join(createFolder(), 'profile_export.jsonl');
  writeFileSync(path, text);
  return path;
}

test('reads the requests in file order', async () => {
  const { counts, lines, events } = await read(writeRequests(`${formatLine(2)}\n${formatLine(1)}\n`));
  expect(counts).toEqual({ requests: 2, dropped: 0 });
  expect(lines.map(({ metadata }) => metadata.session_num)).toEqual([2, 1]);
  expect(events).toEqual([]);
});

test('skips a truncated line and the lines of an earlier run, and reports them', async () => {
  const path = writeRequests(`${formatLine(-1)}\n${formatLine(1)}\n${formatLine(2).slice(0, 40)}`);
  const { counts, lines, events } = await read(path);
  expect(counts).toEqual({ requests: 1, dropped: 2 });
  expect(lines).toHaveLength(1);
  expect(events).toEqual([
    { type: 'lines_invalid', path, count: 1, firstLine: 3, firstMessage: expect.any(String) },
    { type: 'lines_of_earlier_run', path, count: 1 },
  ]);
});

test('reports a missing file', async () => {
  const path = join(createFolder(), 'profile_export.jsonl');
  const { counts, events } = await read(path);
  expect(counts).toEqual({ requests: 0, dropped: 0 });
  expect(events).toEqual([{ type: 'requests_missing', path, isSkipped: false }]);
});

test.skipIf(process.platform === 'win32')('skips a named pipe and a device', async () => {
  const pipe = join(createFolder(), 'profile_export.jsonl');
  execFileSync('mkfifo', [pipe]);
  for (const path of [pipe, '/dev/zero']) {
    const { counts, events } = await read(path);
    expect(counts).toEqual({ requests: 0, dropped: 0 });
    expect(events).toEqual([{ type: 'requests_missing', path, isSkipped: true }]);
  }
});

test('rejects a path that cannot be read', async () => {
  const path = join(createFolder(), 'profile_export.jsonl');
  mkdirSync(path);
  await expect(read(path)).rejects.toThrow(RunInputError);
});
