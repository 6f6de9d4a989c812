import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  findPartition,
  formatPartitionFolder,
  makeDistinctFolder,
  parsePartitionPath,
} from '../../src/parquet/partition.ts';

describe('the folder of a value', () => {
  test.each([
    ['vllm:e2e_request_latency_seconds', 'vllm%3Ae2e_request_latency_seconds'],
    ['http://10.0.0.1:8000/metrics?a=1', 'http%3A%2F%2F10.0.0.1%3A8000%2Fmetrics%3Fa%3D1'],
    ['.', '%2E'],
    ['..', '.%2E'],
    ['../../etc/passwd', '..%2F..%2Fetc%2Fpasswd'],
    ['a\\b', 'a%5Cb'],
    ['100%', '100%25'],
    ['%41', '%2541'],
    ['a b+c~', 'a%20b%2Bc%7E'],
    ['größe漢\u{1f600}', 'größe漢\u{1f600}'],
    ['\0\n\u0085\u2028', '%00%0A%C2%85%E2%80%A8'],
    ['NULL', '%4EULL'],
    ['null_count', 'null_count'],
    ['__HIVE_DEFAULT_PARTITION__', '%5F_HIVE_DEFAULT_PARTITION__'],
    ['constructor', 'constructor'],
  ])('for %j is named %s', (value, expected) => {
    const { name, shortened } = formatPartitionFolder('metric_name', value);
    expect(name).toBe(`metric_name=${expected}`);
    expect(shortened).toBe(false);
  });

  test('has a valid name for any text, from which the text can be parsed unless it is shortened', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 400 }), value => {
        const folder = formatPartitionFolder('metric_name', value);
        expect(folder.name).not.toMatch(/[/\\\0:*?"<>|]|\.$/);
        expect(Buffer.byteLength(folder.name)).toBeLessThanOrEqual(255);
        if (folder.shortened) return;
        for (const { name } of [folder, makeDistinctFolder(folder)])
          expect(parsePartitionPath(`x/endpoint_url=e/${name}/part-0.parquet`)?.metric_name).toBe(value);
      }),
    );
  });

  test('of a long text has a name that is truncated between characters and ends with a hash', () => {
    const folders = ['a', 'b'].map(end => formatPartitionFolder('metric_name', `${'ü/'.repeat(100)}${end}`));
    for (const { name, shortened } of folders) {
      expect(name).toMatch(/^metric_name=(ü%2F)+ü?~[0-9a-f]{16}$/);
      expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
      expect(shortened).toBe(true);
    }
    expect(folders[0]!.name).not.toBe(folders[1]!.name);
  });

  test('cannot be formatted for an empty text', () => {
    expect(() => formatPartitionFolder('metric_name', '')).toThrow('metric_name is empty');
  });
});

describe('the partition of a file', () => {
  test.each([
    ['a/endpoint_url=u%3A1/metric_name=m/part-0.parquet', { endpoint_url: 'u:1', metric_name: 'm' }],
    ['endpoint_url=u/metric_name=%E0%A4%A/part-0.parquet', { endpoint_url: 'u', metric_name: '%E0%A4%A' }],
    ['metric_name=m/endpoint_url=u/part-0.parquet', undefined],
    ['endpoint_url=u/part-0.parquet', undefined],
    ['part-0.parquet', undefined],
  ])('at %s is %j', (path, expected) => {
    expect(parsePartitionPath(path)).toEqual(expected);
  });

  test('is read from the metadata, where names are not shortened', () => {
    const metadata = new Map([
      ['servelens.endpoint_url', 'long'],
      ['servelens.metric_name', 'longer'],
    ]);
    const path = 'endpoint_url=l~1/metric_name=l~2/part-0.parquet';
    expect(findPartition(path, metadata)).toEqual({ endpoint_url: 'long', metric_name: 'longer' });
  });
});
