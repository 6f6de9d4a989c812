import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { AMD_COLUMNS } from '../../src/command/amdSmi.ts';
import { NVIDIA_COLUMNS } from '../../src/command/nvidiaSmi.ts';
import { SmiTable } from '../../src/command/smiTable.ts';
import type { GpuReading } from '../../src/sample.ts';

const FOLDER = join(import.meta.dirname, '..', 'files', 'command');
const OUTPUTS = readdirSync(FOLDER).filter(name => name.endsWith('.csv'));

test.each(OUTPUTS)('reads the table of %s', name => {
  const expected = JSON.parse(readFileSync(join(FOLDER, name.replace('.csv', '.json')), 'utf8'));
  const table = new SmiTable(expected.platform === 'nvidia' ? NVIDIA_COLUMNS : AMD_COLUMNS);
  const lines = readFileSync(join(FOLDER, name), 'utf8').split('\n');
  const readings = lines.map(line => table.read(line)).filter((reading): reading is GpuReading => !!reading);
  expect(readings.map(({ gpu }) => gpu.index)).toEqual(expected.readings.map(([index]: [number]) => index));
  for (const [at, { values }] of readings.entries()) {
    const rounded = Object.entries(values).map(([field, value]) => [field, Number(value.toPrecision(12))]);
    expect(Object.fromEntries(rounded)).toEqual(expected.readings[at][1]);
  }
  expect(readings[0]?.gpu).toEqual(expected.gpu);
  expect(table.invalidLines).toBe(expected.invalidLines);
});

test('ignores rows before a header, and after a restart until the next header', () => {
  const table = new SmiTable(NVIDIA_COLUMNS);
  expect(table.read('0, 100')).toBeUndefined();
  expect(table.read('index, power.draw [W]')).toBeUndefined();
  expect(table.read('0, 100')?.values).toEqual({ nvidia_power_usage: 100 });
  table.reset();
  expect(table.read('0, 100')).toBeUndefined();
  expect(table.read('power.draw [W], index')).toBeUndefined();
  expect(table.read('90, 1')?.values).toEqual({ nvidia_power_usage: 90 });
});
