import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readProfileAggregate, readProfileSweep } from '../../src/read.ts';
import { validate } from '../../src/validate/validate.ts';
import { writeProfileAggregateCsv, writeProfileSweepCsv } from '../../src/write.ts';

const sample = (name: string): string =>
  readFileSync(join(import.meta.dirname, '../files/valid', name), 'utf8');

test.each([
  ['profile-sweep.csv', {}],
  ['profile-sweep-aiperf.csv', { layout: 'aiperf' }],
] as const)('a sweep as %s', async (name, options) => {
  const sweep = await readProfileSweep(sample('profile-sweep.json'));
  expect(writeProfileSweepCsv(sweep, options)).toBe(sample(name));
});

test.each([
  ['profile-aggregate.csv', {}],
  ['profile-aggregate-aiperf.csv', { layout: 'aiperf' }],
] as const)('repeated runs as %s', async (name, options) => {
  const aggregate = await readProfileAggregate(sample('profile-aggregate.json'));
  expect(writeProfileAggregateCsv(aggregate, options)).toBe(sample(name));
});

test('writes parameters of any type, with all digits of integers', async () => {
  const sweep = await readProfileSweep(sample('profile-sweep.json'));
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

test('validates sweeps with such parameters', async () => {
  const text = sample('profile-sweep.json').replaceAll(/"concurrency": (\d+)/g, '"wait_ns": $1');
  expect(text).toContain('"wait_ns": 4');
  expect(await validate(text)).toMatchObject({ valid: true });
});
