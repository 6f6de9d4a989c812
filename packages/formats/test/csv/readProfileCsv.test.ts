import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readProfileCsv } from '../../src/csv/readProfileCsv.ts';
import { FormatError, listProfileMetrics, readProfileExport, readProfileMetrics } from '../../src/read.ts';
import { type FilePath, fromPath } from '../../src/source/input.ts';

const samplesFolder = join(import.meta.dirname, '../files/valid');
const getSample = (name: string): FilePath => fromPath(join(samplesFolder, name));

describe('readProfileMetrics', () => {
  it('reads the metrics of a JSON document', async () => {
    const document = await readProfileExport(getSample('profile-export-1.3.json'));
    expect(await readProfileMetrics(getSample('profile-export-1.3.json'))).toEqual(
      listProfileMetrics(document),
    );
  });

  it.each(['profile-export.csv', 'profile-export-aiperf.csv'])(
    'reads the same metrics from %s, without counts and without the GPU table',
    async name => {
      const metrics = await readProfileMetrics(getSample(name));
      expect([...metrics.keys()].sort()).toEqual([
        'min_request_timestamp',
        'request_count',
        'request_latency',
        'request_throughput',
      ]);
      expect(metrics.get('request_latency')).toMatchObject({
        unit: 'ms',
        avg: 2620.5,
        p99: 3371.25,
        sum: 52410,
      });
      expect(metrics.get('request_latency')).not.toHaveProperty('count');
      expect(metrics.get('request_count')).toEqual({ unit: 'requests', avg: 20 });
    },
  );

  it('rejects another kind of document, and reports the line of an invalid cell', async () => {
    await expect(readProfileMetrics(getSample('server-metrics.csv'))).rejects.toThrow(
      'is a server-metrics-csv document; expected a profile-export-csv document',
    );
    const error = await readProfileMetrics('Metric,Value\nGoodput,many\n').catch((error: unknown) => error);
    expect(error).toBeInstanceOf(FormatError);
    expect((error as FormatError).issues).toMatchObject([{ rule: 'csv-cell', line: 2, value: 'many' }]);
  });
});

describe('readProfileCsv', () => {
  it('detects rounded numbers', () => {
    const readSample = (name: string): string => readFileSync(getSample(name).path, 'utf8');
    expect(readProfileCsv(readSample('profile-export-aiperf.csv')).isRounded).toBe(true);
    expect(readProfileCsv('Metric,Value\nGoodput (requests/sec),1.375\n').isRounded).toBe(false);
  });

  it('reads statistics of newer versions', () => {
    const { metrics, problems } = readProfileCsv('Metric,avg,adj_p99\nRequest Latency (ms),1.5,2\n');
    expect(problems).toEqual([]);
    expect(metrics.get('request_latency')).toEqual({ unit: 'ms', avg: 1.5, adj_p99: 2 });
  });

  it('returns only statistics that have a column', () => {
    const { metrics, problems } = readProfileCsv('Metric,avg,p50\nRequest Latency (ms),1.5,1.25\n');
    expect(problems).toEqual([]);
    expect([...metrics]).toEqual([['request_latency', { unit: 'ms', avg: 1.5, p50: 1.25 }]]);
  });
});
