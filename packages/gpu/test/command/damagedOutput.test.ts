import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Random } from '@org/core';
import { expect, test } from 'vitest';
import { AMD_COLUMNS } from '../../src/command/amdSmi.ts';
import { NVIDIA_COLUMNS } from '../../src/command/nvidiaSmi.ts';
import { SmiTable } from '../../src/command/smiTable.ts';
import { GPU_METRICS } from '../../src/metrics.ts';
import type { GpuReading } from '../../src/sample.ts';

const FOLDER = join(import.meta.dirname, '..', 'files', 'command');
const OUTPUTS = readdirSync(FOLDER)
  .filter(name => name.endsWith('.csv'))
  .map(name => readFileSync(join(FOLDER, name), 'utf8'));
const FIELDS = new Set(GPU_METRICS.map(({ field }) => field));
/** Texts that commands print instead of a table or of a value. */
const NOISE = [
  "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.",
  'Unable to determine the device handle for GPU0000:3B:00.0: Unknown Error',
  'No devices were found',
  'Failed to initialize NVML: Driver/library version mismatch',
  '[N/A]',
  '[Not Supported]',
  '[GPU is lost]',
  'ERR!',
  '"',
  ',',
  '\u0000',
  'NaN',
  '-1',
  '9223372036854775794',
];

/** Damages a text at a few random places: removes a part, inserts noise, or repeats a part. */
function damage(text: string, random: Random): string {
  let damaged = text;
  for (let times = 0; times < 4; times++) {
    const at = Math.floor(random.uniform(0, damaged.length));
    const length = Math.floor(random.uniform(0, 40));
    const part = damaged.slice(at, at + length);
    const noise = NOISE[Math.floor(random.uniform(0, NOISE.length))]!;
    const inserted = random.chance(0.4) ? '' : random.chance(0.5) ? noise : part + part;
    damaged = damaged.slice(0, at) + inserted + damaged.slice(at + length);
  }
  return damaged;
}

function isAmdOutput(output: string): boolean {
  return output.startsWith('timestamp');
}

function read(text: string, isAmd: boolean): GpuReading[] {
  const table = new SmiTable(isAmd ? AMD_COLUMNS : NVIDIA_COLUMNS);
  return text.split(/\r?\n/).flatMap(line => table.read(line) ?? []);
}

test('damaged output costs values, but yields no impossible ones', () => {
  const random = new Random(5);
  let readings = 0;
  for (let run = 0; run < 3000; run++) {
    const output = OUTPUTS[run % OUTPUTS.length]!;
    const text = damage(output, random);
    for (const { gpu, values } of read(text, isAmdOutput(output))) {
      readings += 1;
      expect(Number.isInteger(gpu.index) && gpu.index >= 0, text).toBe(true);
      for (const [field, value] of Object.entries(values)) {
        expect(FIELDS, text).toContain(field);
        expect(Number.isFinite(value) && value >= 0, `${field} ${value} in ${text}`).toBe(true);
      }
    }
  }
  // Most damaged tables still have rows that can be read.
  expect(readings).toBeGreaterThan(1000);
});

test.each(NOISE)('the line %j before and between tables costs nothing else', noise => {
  for (const output of OUTPUTS) {
    const lines = output.trimEnd().split('\n');
    const noisy = [noise, ...lines.slice(0, 2), noise, ...lines.slice(2)].join('\n');
    expect(read(noisy, isAmdOutput(output))).toEqual(read(output, isAmdOutput(output)));
  }
});
