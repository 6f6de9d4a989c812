import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSimulator, type Simulator } from '@org/simulator';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { main } from '../../src/main.ts';
import { testIo } from '../io.ts';
import { FAST, filesOf, MODEL, ran, temporaryFolder } from './support.ts';

let simulator: Simulator;
let url = '';
beforeAll(async () => {
  simulator = createSimulator({ seed: 3 });
  ({ url } = await simulator.listen(0));
});
afterAll(() => simulator.close());

function fileOf(lines: readonly object[]): string {
  const file = join(temporaryFolder(), 'inputs.jsonl');
  writeFileSync(file, lines.map(line => `${JSON.stringify(line)}\n`).join(''));
  return file;
}

const QUICK = ['--use-server-token-count', '--no-server-metrics'];

test('replays a trace at its timestamps', async () => {
  const file = fileOf([
    { timestamp: 1000, input_length: 20, output_length: 4, hash_ids: [1] },
    { timestamp: 1150, input_length: 30, output_length: 5, hash_ids: [2] },
    { timestamp: 1300, input_length: 10, output_length: 6, hash_ids: [3] },
  ]);
  const args = ['--input-file', file, '--fixed-schedule', '--extra-inputs', 'ignore_eos:true'];
  const { folder, document } = await ran(url, [...args, ...QUICK]);
  const { records } = await filesOf(folder);
  const bySending = [...records].sort((a, b) =>
    Number(a.metadata.credit_issued_ns! - b.metadata.credit_issued_ns!),
  );
  expect(bySending.map(({ metrics }) => metrics.requested_osl!.value)).toEqual([4, 5, 6]);
  const issued = bySending.map(({ metadata }) => metadata.credit_issued_ns!);
  expect(issued.slice(1).map((ns, at) => Number(ns - issued[at]!) / 1e6)).toEqual([150, 150]);
  expect(document.load_generator).toMatchObject({ stop_reason: 'schedule', unsent_requests: 0 });
});

test('sends conversations with several turns', async () => {
  const file = fileOf([
    {
      session_id: 'a',
      turns: [
        { text: 'one', output_length: 3 },
        { text: 'two', output_length: 3 },
      ],
    },
    { session_id: 'b', turns: [{ text: 'three', output_length: 3 }] },
  ]);
  const { folder } = await ran(url, ['--input-file', file, '--num-sessions', '2', ...QUICK]);
  const { records } = await filesOf(folder);
  expect(records.map(({ metadata }) => [metadata.conversation_id, metadata.turn_index])).toEqual([
    ['a', 0],
    ['a', 1],
    ['b', 0],
  ]);
});

test('leaves no files behind if the inputs are invalid', async () => {
  const cwd = temporaryFolder();
  const io = testIo(cwd, FAST);
  const file = fileOf([{ text: 'no timestamp' }]);
  const code = await main(
    ['profile', '--model', MODEL, '--url', url, '--input-file', file, '--fixed-schedule'],
    io,
  );
  expect(code).toBe(2);
  expect(io.err.join('')).toMatch(/--fixed-schedule: requires inputs with timestamps/);
  expect(readdirSync(join(cwd, 'artifacts'))).toEqual([]);
});
