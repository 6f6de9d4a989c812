import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSystemClock } from '@org/scrape';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CommandSource } from '../../src/command/commandSource.ts';
import type { GpuSample } from '../../src/sample.ts';

/** Generous, because other programs can delay a process. */
const WAIT = { timeout: 60_000, interval: 20 };

let folder: string;
let command: string;
let samples: GpuSample[];
let source: CommandSource | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'servelens-gpu-'));
  command = join(folder, 'nvidia-smi');
  samples = [];
});

afterEach(async () => {
  await source?.close();
  source = undefined;
  rmSync(folder, { recursive: true, force: true });
});

/** Writes a program that replaces nvidia-smi. It can append its arguments to the file `$ARGUMENTS`. */
function writeCommand(script: string): void {
  writeFileSync(
    command,
    `#!/bin/sh\nARGUMENTS=${join(folder, 'arguments')}\necho "$@" >>$ARGUMENTS\n${script}\n`,
  );
  chmodSync(command, 0o755);
}

function readArguments(): string[] {
  return readFileSync(join(folder, 'arguments'), 'utf8').trim().split('\n');
}

function open(restartDelayMs = 10): CommandSource {
  source = new CommandSource({
    platform: 'nvidia',
    command,
    clock: createSystemClock(),
    intervalMs: 333,
    onSamples: added => samples.push(...added),
    restartDelayMs,
  });
  return source;
}

test('runs the command once and reads its rows as they arrive', async () => {
  writeCommand(
    'echo "index, uuid, power.draw [W]"; while :; do echo "0, GPU-a, 50"; echo "1, GPU-b, 60"; sleep 0.1; done',
  );
  const opened = open();
  await opened.sample(60_000);
  await vi.waitFor(() => expect(samples.length).toBeGreaterThan(5), WAIT);
  expect(opened).toMatchObject({
    url: 'pynvml://localhost',
    gpuCount: 2,
    failure: undefined,
    interruptions: 0,
    invalidLines: 0,
  });
  expect(samples[0]).toMatchObject({ source: 'pynvml://localhost', values: { nvidia_power_usage: 50 } });
  const calls = readArguments();
  expect(calls).toHaveLength(1);
  expect(calls[0]).toMatch(/^--query-gpu=index,uuid,.*power\.draw.* --format=csv,nounits -lms=333$/);
});

test('starts the command again after it ended, and drops its incomplete last line', async () => {
  writeCommand('echo "index, power.draw [W]"; echo "0, 50"; printf "0, 9"');
  const opened = open();
  opened.start();
  await vi.waitFor(() => expect(samples.length).toBeGreaterThan(2), WAIT);
  expect(opened.interruptions).toBeGreaterThan(1);
  expect(new Set(samples.map(({ values }) => values.nvidia_power_usage))).toEqual(new Set([50]));
});

test('queries again without a column that the version does not know', async () => {
  writeCommand(
    [
      'case "$1" in',
      '*utilization.jpeg*) echo "Field \\"utilization.jpeg\\" is not a valid field to query."; exit 2;;',
      '*power.draw.instant*) echo "Field \\"power.draw.instant\\" is not a valid field to query."; exit 2;;',
      'esac',
      'echo "index, power.draw [W]"; while :; do echo "0, 70"; sleep 0.1; done',
    ].join('\n'),
  );
  open().start();
  await vi.waitFor(() => expect(samples.length).toBeGreaterThan(0), WAIT);
  expect(readArguments()).toHaveLength(3);
  expect(readArguments().at(-1)).not.toMatch(/jpeg|instant/);
});

test('does not wait for a sample of a command that ends without a table', async () => {
  writeCommand(
    'echo "NVIDIA-SMI has failed because it could not communicate with the NVIDIA driver."; exit 9',
  );
  const opened = open();
  await opened.sample(2 ** 30);
  expect(opened).toMatchObject({ gpuCount: 0, failure: 'the command printed no table of GPUs' });
});

test('reports a command that cannot be started', async () => {
  const opened = open();
  await opened.sample(2 ** 30);
  expect(opened.failure).toBe('no such file or folder');
  expect(opened.interruptions).toBe(0);
});

test('ends a command that ignores the request to end', async () => {
  writeCommand('trap "" TERM; echo "index, power.draw [W]"; while :; do echo "0, 70"; sleep 0.05; done');
  const opened = open();
  await opened.sample(60_000);
  await opened.close();
  const count = samples.length;
  await new Promise(resolve => setTimeout(resolve, 200));
  expect(samples.length).toBe(count);
});
