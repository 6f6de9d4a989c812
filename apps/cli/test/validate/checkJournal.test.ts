import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Layout } from '@org/core';
import { fromPath, validate } from '@org/formats';
import { JournalWriter } from '@org/scrape';
import { expect, test } from 'vitest';
import { checkJournal } from '../../src/validate/checkJournal.ts';
import { makeSuiteFolder } from '../support/temporaryFolder.ts';

const folder = makeSuiteFolder();
const START_NS = 1_772_000_000_000_000_000n;

/** Writes a journal with scrapes at these times, in nanoseconds after the start. Returns its path. */
function writeJournal(name: string, timesNs: readonly bigint[], hasEnd = true): string {
  const path = join(folder, name);
  const journal = JournalWriter.open(path, { run: 1 });
  const layout = new Layout();
  journal.addEndpoint(0, { url: 'http://a/metrics', configuredUrl: 'http://a/metrics' });
  layout.scalar({ name: 'g', type: 'gauge', help: '' }, []);
  timesNs.forEach((timeNs, index) => {
    const values = Float64Array.of(index);
    journal.append(0, layout, { timestampNs: START_NS + timeNs, latencyNs: 1, changed: true, values });
  });
  if (hasEnd) journal.end();
  return path;
}

const TIMES_NS = Array.from({ length: 50 }, (_, index) => BigInt(index) * 333_000_000n);

async function findIssues(path: string): Promise<string[]> {
  const { document, issues } = await validate(fromPath(path), { checkJournal });
  expect(document).toBe('journal');
  return issues.map(({ severity, rule, place, message }) => `${severity} ${rule}: ${place} ${message}`);
}

test('accepts the journal of a completed run', async () => {
  expect(await findIssues(writeJournal('complete', TIMES_NS))).toEqual([]);
});

test('warns about a run that has not ended', async () => {
  expect(await findIssues(writeJournal('active', TIMES_NS, false))).toEqual([
    'warning journal-incomplete: the journal has no end: the run is active or was killed',
  ]);
});

test('reports scrapes that are not in order', async () => {
  expect(await findIssues(writeJournal('order', [0n, 2n, 1n]))).toEqual([
    expect.stringMatching(
      /^error journal-order: the journal has a scrape of endpoint 0 at \d+1, which is not after/,
    ),
  ]);
});

test.each([
  [
    'a truncated file',
    (bytes: Buffer) => bytes.subarray(0, -30),
    /^warning journal-incomplete: .*is incomplete/,
  ],
  [
    'damage of 500 bytes',
    (bytes: Buffer) => Buffer.from(bytes).fill(0xaa, 300, 800),
    /^error journal-invalid: .*is damaged/,
  ],
  [
    'one wrong byte',
    (bytes: Buffer) => flip(bytes, 400),
    /^warning journal-incomplete: .*is damaged without loss/,
  ],
  [
    'only the header',
    (bytes: Buffer) => bytes.subarray(0, 9),
    /^error journal-run: the journal has no records/,
  ],
])('reports %s', async (name, change, expected) => {
  const path = join(folder, name.replaceAll(' ', '-'));
  writeFileSync(path, change(readFileSync(writeJournal(`${name} before`, TIMES_NS))));
  expect((await findIssues(path))[0]).toMatch(expected);
});

function flip(bytes: Buffer, offset: number): Buffer {
  const changed = Buffer.from(bytes);
  changed[offset]! ^= 0x55;
  return changed;
}
