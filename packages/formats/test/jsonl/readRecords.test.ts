import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Issue } from '../../src/index.ts';
import { FormatError, readRecords } from '../../src/read.ts';
import { fromPath } from '../../src/source/input.ts';
import { writeServerMetricsLine } from '../../src/write.ts';

const path = join(import.meta.dirname, '../files/valid/server-metrics.jsonl');
const text = readFileSync(path, 'utf8');

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

describe('readRecords', () => {
  it.each([
    ['a path', fromPath(path)],
    ['a text', text],
    ['bytes', Buffer.from(text)],
    ['text with CRLF', text.replaceAll('\n', '\r\n')],
  ])('reads %s record by record without loss', async (_, input) => {
    const records = await collect(readRecords(input));
    expect(records.map(writeServerMetricsLine).join('\n')).toBe(text.trimEnd());
    expect(records[1]!.timestamp_ns).toBe(1772000000333333334n);
  });

  it('throws at the first invalid line', async () => {
    const broken = text.replace('"sim:up":[{"value":1.0}]', '"sim:up":[{"value":"1"}]');
    const error = await collect(readRecords(broken)).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(FormatError);
    expect((error as Error).message).toContain(
      'line 1: .metrics["sim:up"][0].value is "1"; expected a number',
    );
  });

  it('skips invalid lines if onIssue is set', async () => {
    const issues: Issue[] = [];
    const lines = text.split('\n');
    const broken = [lines[0], '{"endpoint_url": ', '', lines[1], lines[2]!.slice(0, 50)].join('\n');
    const records = await collect(readRecords(broken, { onIssue: issue => issues.push(issue) }));
    expect(records).toHaveLength(2);
    expect(issues.map(({ rule, line }) => [rule, line])).toEqual([
      ['json-syntax', 2],
      ['json-syntax', 5],
    ]);
    expect(issues[1]!.message).toContain('the line is incomplete');
  });

  it('reads only the named metrics', async () => {
    const all = await collect(readRecords(text));
    const name = Object.keys(all[0]!.metrics)[0]!;
    const records = await collect(readRecords(text, { metrics: new Set([name]) }));
    expect(records).toHaveLength(all.length);
    for (const [index, { metrics }] of records.entries())
      for (const [key, series] of Object.entries(metrics))
        expect(series).toEqual(key === name ? all[index]!.metrics[key] : []);
  });

  it('reads only the wanted records, and all whose line starts with other fields', async () => {
    const time = (line: string): number => JSON.parse(line).timestamp_ns;
    const lines = text.trimEnd().split('\n');
    const { endpoint_url: url, ...rest } = JSON.parse(lines[0]!);
    const turned = JSON.stringify({ ...rest, endpoint_url: url });
    const seen: string[] = [];
    const isWanted = (endpointUrl: string): boolean => {
      seen.push(endpointUrl);
      return false;
    };
    const records = await collect(readRecords([...lines, turned].join('\n'), { isWanted }));
    expect(records.map(({ timestamp_ns }) => Number(timestamp_ns))).toEqual([time(turned)]);
    expect(seen).toEqual(lines.map(line => JSON.parse(line).endpoint_url));
  });
});
