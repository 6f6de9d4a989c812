import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readTimeslicesCsv } from '../../src/csv/readTimeslicesCsv.ts';
import { listTimesliceMetrics, readProfileTimeslices } from '../../src/read.ts';
import { type FilePath, fromPath } from '../../src/source/input.ts';

const getSample = (name: string): FilePath => fromPath(join(import.meta.dirname, '../files/valid', name));

describe('readTimeslicesCsv', () => {
  it('detects rounded numbers', () => {
    const readSample = (name: string): string => readFileSync(getSample(name).path, 'utf8');
    expect(readTimeslicesCsv(readSample('profile-timeslices-aiperf.csv')).isRounded).toBe(true);
    expect(readTimeslicesCsv(readSample('profile-timeslices.csv')).isRounded).toBe(false);
  });
});

describe('readProfileTimeslices', () => {
  it('reads the same slices from CSV as from JSON', async () => {
    const json = await readProfileTimeslices(getSample('profile-timeslices.json'));
    const csv = await readProfileTimeslices(getSample('profile-timeslices.csv'));
    expect(csv.timeslices.map(listTimesliceMetrics)).toEqual(json.timeslices.map(listTimesliceMetrics));
    expect(json.timeslices[1]).toMatchObject({ timeslice_index: 1, start_ns: 1772000005000000000n });
    expect(csv.timeslices[1]).toMatchObject({ timeslice_index: 1, start_ns: 1772000005000000000n });
  });

  it('rejects another kind of document', async () => {
    await expect(readProfileTimeslices(getSample('profile-collated.json'))).rejects.toThrow(
      'is a profile-collated document; expected a profile-timeslices document',
    );
  });
});
