import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readProfileAggregate, readProfileSweep } from '../../src/read.ts';
import { validate } from '../../src/validate/validate.ts';
import { writeProfileAggregateCsv, writeProfileSweepCsv } from '../../src/write.ts';

const readSample = (name: string): string =>
  readFileSync(join(import.meta.dirname, '../files/valid', name), 'utf8');

test.each([
  ['profile-sweep.csv', {}],
  ['profile-sweep-aiperf.csv', { layout: 'aiperf' }],
] as const)('writes a sweep as in %s', async (name, options) => {
  const sweep = await readProfileSweep(readSample('profile-sweep.json'));
  expect(writeProfileSweepCsv(sweep, options)).toBe(readSample(name));
});

test.each([
  ['profile-aggregate.csv', {}],
  ['profile-aggregate-aiperf.csv', { layout: 'aiperf' }],
] as const)('writes repeated runs as in %s', async (name, options) => {
  const aggregate = await readProfileAggregate(readSample('profile-aggregate.json'));
  expect(writeProfileAggregateCsv(aggregate, options)).toBe(readSample(name));
});

test('writes parameters of any type, with all digits of integers', async () => {
  const sweep = await readProfileSweep(readSample('profile-sweep.json'));
  const [first] = sweep.per_combination_metrics;
  const parameters = {
    seed: 9007199254740993n,
    wait_ns: 5n,
    shape: { isl: [1, 2n] },
    name: 'a,b',
    none: null,
  };
  const text = writeProfileSweepCsv({ ...sweep, per_combination_metrics: [{ ...first!, parameters }] });
  const [header, row] = text.split('\n');
  expect(header).toMatch(/^seed,wait_ns,shape,name,none,/);
  expect(row).toMatch(/^9007199254740993,5,"{""isl"":\[1,2\]}","a,b",,/);
});

test('accepts a sweep with a parameter whose name ends in _ns', async () => {
  const text = readSample('profile-sweep.json').replaceAll(/"concurrency": (\d+)/g, '"wait_ns": $1');
  expect(text).toContain('"wait_ns": 4');
  expect(await validate(text)).toMatchObject({ valid: true });
});
