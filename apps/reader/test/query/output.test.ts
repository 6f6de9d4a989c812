import { PassThrough, Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { printResult, type TextFormat } from '../../src/query/output.ts';
import type { QueryResult, ResultRow } from '../../src/query/queryResult.ts';

function createResult(columns: readonly string[], ...batches: (readonly ResultRow[])[]): QueryResult {
  return {
    columns,
    batches: (async function* () {
      yield* batches;
    })(),
  };
}

async function print(result: QueryResult, format: TextFormat): Promise<string> {
  const stream = new PassThrough({ highWaterMark: 1 << 20 });
  await printResult(result, format, { stream, width: 80 });
  return String(stream.read() ?? '');
}

const COLUMNS = ['big', 'nan', 'list', 'none', 'text'];
const ROW: ResultRow = [1152921504606846977n, Number.NaN, [1, 2], null, 'a,"b\n'];

describe('prints exact integers, lists, NULL and special characters', () => {
  test.each<[TextFormat, string]>([
    ['json', '[\n{"big":1152921504606846977,"nan":null,"list":[1,2],"none":null,"text":"a,\\"b\\n"}\n]\n'],
    ['jsonl', '{"big":1152921504606846977,"nan":null,"list":[1,2],"none":null,"text":"a,\\"b\\n"}\n'],
    ['csv', 'big,nan,list,none,text\n1152921504606846977,NaN,"[1,2]",,"a,""b\n"\n'],
  ])('as %s', async (format, expected) => {
    expect(await print(createResult(COLUMNS, [ROW]), format)).toBe(expected);
  });
});

test.each<[TextFormat, string]>([
  ['json', '[]\n'],
  ['jsonl', ''],
  ['csv', 'a\n'],
  ['table', '0 rows\n'],
])('prints a result without rows as %s', async (format, expected) => {
  expect(await print(createResult(['a']), format)).toBe(expected);
});

test.each<[TextFormat, string]>([
  ['json', '[\n{"a":1},\n{"a":2}\n]\n'],
  ['jsonl', '{"a":1}\n{"a":2}\n'],
  ['csv', 'a\n1\n2\n'],
])('joins batches as %s', async (format, expected) => {
  expect(await print(createResult(['a'], [[1]], [[2]]), format)).toBe(expected);
});

test('waits until a full stream is drained', async () => {
  const stream = new PassThrough({ highWaterMark: 1 });
  let isDone = false;
  const printing = printResult(createResult(['a'], [[1]], [[2]]), 'jsonl', { stream, width: 80 }).then(() => {
    isDone = true;
  });
  await setImmediate();
  expect(isDone).toBe(false);
  let text = '';
  stream.on('data', chunk => {
    text += String(chunk);
  });
  await printing;
  expect(text).toBe('{"a":1}\n{"a":2}\n');
});

test('ends if the reader of the stream closes it', async () => {
  const stream = new Writable({
    highWaterMark: 1,
    write: (_chunk, _encoding, done) => done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })),
  });
  stream.on('error', () => {});
  const result = createResult(['a'], [[1]], [[2]]);
  expect(await printResult(result, 'csv', { stream, width: 80 })).toBe(false);
  expect(await printResult(createResult(['a'], [[1]]), 'csv', { stream, width: 80 })).toBe(false);
});
