import { Random } from '@org/core';
import { expect, test } from 'vitest';
import { AMD_COLUMNS } from '../../src/command/amdSmi.ts';
import { NVIDIA_COLUMNS } from '../../src/command/nvidiaSmi.ts';
import { type SmiColumns, SmiTable } from '../../src/command/smiTable.ts';

/** Units that some versions print in the header, in each cell, or not at all. */
const UNITS: Readonly<Record<string, string>> = {
  'power.draw': 'W',
  'power.draw.instant': 'W',
  'power.limit': 'W',
  'enforced.power.limit': 'W',
  'utilization.gpu': '%',
  'utilization.memory': '%',
  'memory.used': 'MiB',
  'clocks.sm': 'MHz',
  socket_power: 'W',
  used_vram: 'MB',
  hotspot: '°C',
};
/** Columns that Servelens does not read, with cells that contain commas and quotes. */
const OTHER_COLUMNS: Readonly<Record<string, string>> = {
  timestamp: '2026/09/11 04:19:41.982',
  driver_version: '595.71.05',
  vcn_activity: `"['N/A', 'N/A']"`,
  'remapped_rows.failure': '[N/A]',
  'a.column.of.the.future': '"a ""quoted"", cell"',
};
/** Texts of unknown values, by version. */
const UNKNOWN = ['[N/A]', 'N/A', '[Not Supported]', '[Unknown Error]', '[GPU is lost]', '', 'ERR!'];

/** The output of a made-up version, and the values that it contains by field. */
interface Output {
  readonly lines: readonly string[];
  readonly expected: Readonly<Record<string, number>>;
}

/** Writes the output of a version with random columns, in random order, with units in random places. */
function write(columns: SmiColumns, random: Random): Output {
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random.uniform(0, items.length))]!;
  const unitStyle = pick(['header', 'cell', 'both', 'none']);
  const values = columns.values.filter(() => random.chance(0.6));
  const cells = new Map<string, string>([[columns.index[0]!, '3']]);
  const known: [name: string, value: number][] = [];
  for (const { name } of values) {
    const value = Math.floor(random.uniform(0, 9000)) / 10;
    const isKnown = random.chance(0.8);
    if (isKnown) known.push([name, value]);
    const unit = unitStyle === 'cell' || unitStyle === 'both' ? ` ${UNITS[name] ?? ''}`.trimEnd() : '';
    cells.set(name, isKnown ? `${value}${unit}` : pick(UNKNOWN));
  }
  for (const [name, cell] of Object.entries(OTHER_COLUMNS)) if (random.chance(0.5)) cells.set(name, cell);
  const order = [...cells].map(cell => [random.uniform(0, 1), cell] as const).sort(([a], [b]) => a - b);
  const separator = pick([',', ', ', ' , ']);
  const header = order.map(([, [name]]) => {
    const shown = random.chance(0.2) ? name.toUpperCase() : name;
    const hasUnit = (unitStyle === 'header' || unitStyle === 'both') && UNITS[name] !== undefined;
    return hasUnit ? `${shown} [${UNITS[name]}]` : shown;
  });
  const row = order.map(([, [, cell]]) => cell);
  const expected: Record<string, number> = {};
  for (const { name, field, factor } of columns.values) {
    const value = known.find(([candidate]) => candidate === name)?.[1];
    if (value !== undefined && !Object.hasOwn(expected, field)) expected[field] = value * factor;
  }
  return { lines: [header.join(separator), row.join(separator)], expected };
}

test.each([
  ['nvidia-smi', NVIDIA_COLUMNS],
  ['amd-smi', AMD_COLUMNS],
])('reads every value of %s with any columns, order, units and texts for unknown values', (_, columns) => {
  const random = new Random(11);
  for (let version = 0; version < 500; version++) {
    const { lines, expected } = write(columns, random);
    const table = new SmiTable(columns);
    expect(table.read(lines[0]!), lines[0]).toBeUndefined();
    const reading = table.read(lines[1]!);
    expect(reading?.gpu.index, lines.join('\n')).toBe(3);
    expect(reading?.values, lines.join('\n')).toEqual(expected);
    expect(table.invalidLines).toBe(0);
  }
});
