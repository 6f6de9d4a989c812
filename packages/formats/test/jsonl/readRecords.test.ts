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
});
