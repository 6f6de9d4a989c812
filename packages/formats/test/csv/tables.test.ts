import { describe, expect, it } from 'vitest';
import { parseCsvTables } from '../../src/csv/tables.ts';

const COUNTER = 'Endpoint,Type,Metric,Unit,total,rate,rate_avg,rate_min,rate_max,rate_std,engine,Description';
const GAUGE = 'Endpoint,Type,Metric,Unit,avg,min,max,std,p1,p5,p10,p25,p50,p75,p90,p95,p99,Description';
const INFO = 'Endpoint,Metric,Key,Value,Description';

describe('parseCsvTables', () => {
  it.each([
    ['a counter section', `${COUNTER}\nrow\n`, ['counter']],
    ['a gauge section', `${GAUGE}\na,gauge\n`, ['gauge']],
    [
      'an unknown section by its type column, because it has the columns of a gauge',
      `${GAUGE}\na,unknown\n`,
      ['unknown'],
    ],
    ['sections without an empty line between them', `${COUNTER}\nrow\n${INFO}\nrow\n`, ['counter', 'info']],
    ['sections with CRLF', `${COUNTER}\r\nrow\r\n\r\n${INFO}\r\n`, ['counter', 'info']],
  ])('detects %s', (_, text, kinds) => {
    const { tables, problems } = parseCsvTables(text);
    expect(tables.map(({ kind }) => kind)).toEqual(kinds);
    expect(problems).toEqual([]);
  });

  it('reads the comments of AIPerf', () => {
    const text = `\ufeff# AIPerf Server Metrics Export (CSV)\n# schema_version: 1.0\n#\n${COUNTER}\n`;
    const { comments, isAiperf, tables } = parseCsvTables(text);
    expect([...comments]).toEqual([['schema_version', '1.0']]);
    expect(isAiperf).toBe(true);
    expect(tables[0]!.header.line).toBe(4);
  });

  it.each([
    [
      'rows without a header',
      'a,b\nc,d\n',
      1,
      'starts with "a"; expected a header row whose first column is Endpoint',
    ],
    [
      'an unknown header',
      'Endpoint,What\n',
      1,
      expect.stringMatching(/^is not a section header; expected Endpoint,Type,Metric,Unit/),
    ],
  ])('reports %s once', (_, text, line, message) => {
    expect(parseCsvTables(text).problems).toMatchObject([
      { rule: 'csv-header', position: { line }, message },
    ]);
  });
});
