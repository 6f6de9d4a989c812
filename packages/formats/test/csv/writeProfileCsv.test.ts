import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ProfileExport, ProfileTimeslices } from '../../src/index.ts';
import { parseJson } from '../../src/json/parse.ts';
import { readProfileMetrics, readProfileTimeslices } from '../../src/read.ts';
import { writeProfileExportCsv, writeProfileTimeslicesCsv } from '../../src/write.ts';

const samplesFolder = join(import.meta.dirname, '../files/valid');
const readSample = (name: string): string => readFileSync(join(samplesFolder, name), 'utf8');
const profile = parseJson(readSample('profile-export-1.3.json')).value as ProfileExport;
const slices = parseJson(readSample('profile-timeslices.json')).value as ProfileTimeslices;

describe('writeProfileExportCsv', () => {
  it('writes the sample', () => {
    expect(writeProfileExportCsv(profile)).toBe(readSample('profile-export.csv'));
  });

  it('writes the same text as AIPerf, with an empty GPU table', () => {
    const [text, gpuTable] = writeProfileExportCsv(profile, { layout: 'aiperf' }).split('\r\n\r\n\r\n');
    const expected = readSample('profile-export-aiperf.csv').split('\r\n\r\n\r\n')[0]!;
    // AIPerf 0.13 does not export this metric any more.
    expect(text).toBe(expected.replace(/Minimum Request Timestamp.*\r\n/, ''));
    expect(gpuTable).toBe(
      'Endpoint,GPU_Index,GPU_Name,GPU_UUID,Platform,Metric,avg,min,max,sum,p1,p5,p10,p25,p50,p75,p90,p95,p99,std\r\n',
    );
  });

  it('omits the sum column if no metric has a sum (schema 1.0)', () => {
    const [header] = writeProfileExportCsv({
      schema_version: '1.3',
      a: { unit: 'ms', avg: 1, p50: 1 },
    }).split('\n');
    expect(header).toBe('Metric,avg,min,max,p1,p5,p10,p25,p50,p75,p90,p95,p99,std');
  });

  it('omits a section without metrics, and returns an empty text for a document without metrics', () => {
    expect(writeProfileExportCsv({ schema_version: '1.3' })).toBe('');
    expect(writeProfileExportCsv({ schema_version: '1.3', goodput: { unit: 'requests/sec', avg: 1 } })).toBe(
      'Metric,Value\nGoodput (requests/sec),1.0\n',
    );
  });

  it.each([
    ['=cmd|x', 'ms'],
    ['+sum', 'count'],
    ['@a', ''],
    ['a\n\nb', '-1+1'],
  ])('escapes formulas and line breaks reversibly: metric %j in %j', async (tag, unit) => {
    const text = writeProfileExportCsv({ schema_version: '1.3', [tag]: { unit, avg: 1 } });
    expect(text.split('\n')).toHaveLength(3);
    expect(text).not.toMatch(/\n"?[=+@-]/);
    expect([...(await readProfileMetrics(text))]).toEqual([[tag, { unit, avg: 1 }]]);
  });

  it('keeps all digits of a timestamp', () => {
    const avg = 1795268286318624639n as unknown as number;
    const document = { schema_version: '1.3', min_request_timestamp: { unit: 'ns', avg } } as ProfileExport;
    expect(writeProfileExportCsv(document)).toBe(
      'Metric,Value\nMinimum Request Timestamp (ns),1795268286318624639\n',
    );
  });

  it('writes an empty cell for NaN', () => {
    expect(
      writeProfileExportCsv({ schema_version: '1.3', a: { unit: 'ms', avg: Number.NaN, p50: 1 } }),
    ).toContain('\nA (ms),,,,,,,,1.0,,,,,\n');
  });
});

describe('writeProfileTimeslicesCsv', () => {
  it.each([
    ['profile-timeslices.csv', {}],
    ['profile-timeslices-aiperf.csv', { layout: 'aiperf' }],
  ] as const)('writes %s', (name, options) => {
    expect(writeProfileTimeslicesCsv(slices, options)).toBe(readSample(name));
  });

  it('numbers slices that have no timeslice_index, and omits columns of unknown times', () => {
    const goodput = { unit: 'requests/sec', avg: 2 };
    expect(writeProfileTimeslicesCsv({ timeslices: [{ goodput }, { goodput }] })).toBe(
      'Timeslice,Metric,Unit,Stat,Value\n0,Goodput,requests/sec,avg,2.0\n1,Goodput,requests/sec,avg,2.0\n',
    );
  });

  it('escapes formulas reversibly', async () => {
    const document = { timeslices: [{ timeslice_index: 0, '=x': { unit: '=1+1', avg: 1 } }] };
    const text = writeProfileTimeslicesCsv(document);
    expect(text).toContain("\n0,'=x,'=1+1,avg,1.0\n");
    expect(await readProfileTimeslices(text)).toEqual(document);
  });
});
