import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseExportLine, parseMatrixSeries, SeriesError } from '../../src/json/jsonSeries.ts';
import { ObjectSplitter } from '../../src/json/objectSplitter.ts';
import { readRecorded } from '../support/recorded.ts';

function splitObjects(
  document: Buffer,
  sizes: readonly number[],
): { objects: string[]; isComplete: boolean } {
  const objects: string[] = [];
  const splitter = new ObjectSplitter(4, text => objects.push(text));
  let from = 0;
  for (const size of [...sizes, document.length]) {
    splitter.push(document.subarray(from, from + size));
    from += size;
  }
  return { objects, isComplete: splitter.isComplete };
}

it('finds the series of a document that arrives in parts of any size', () => {
  const metric = fc.dictionary(fc.string(), fc.string(), { maxKeys: 3 });
  const series = fc.record({
    metric,
    values: fc.array(fc.tuple(fc.integer(), fc.string()), { maxLength: 3 }),
  });
  fc.assert(
    fc.property(
      fc.array(series, { maxLength: 5 }),
      fc.array(fc.integer({ min: 1, max: 30 })),
      (result, sizes) => {
        const document = Buffer.from(
          JSON.stringify({ status: 'success', data: { resultType: 'matrix', result } }),
        );
        const { objects, isComplete } = splitObjects(document, sizes);
        expect(objects.map(text => JSON.parse(text))).toEqual(JSON.parse(JSON.stringify(result)));
        expect(isComplete).toBe(true);
      },
    ),
  );
});

it('reports a document that is not complete', () => {
  expect(splitObjects(readRecorded('query-range.json').subarray(0, 200), []).isComplete).toBe(false);
});

it('parses the series of a real range query', () => {
  const { objects } = splitObjects(readRecorded('query-range.json'), [100]);
  const series = objects.map(parseMatrixSeries);
  expect(series.map(({ labels }) => labels[0])).toEqual([
    ['__name__', 'up'],
    ['__name__', 'vllm:generation_tokens_total'],
  ]);
  const [{ blocks }] = series as [(typeof series)[0]];
  expect(blocks[0]).toMatchObject({ kind: 'raw' });
});

it("parses a real line of VictoriaMetrics' export", () => {
  const [line] = readRecorded('victoria-metrics.jsonl').toString('utf8').split('\n');
  const { labels, blocks } = parseExportLine(line!);
  expect(labels.find(([name]) => name === '__name__')).toEqual(['__name__', 'up']);
  const [block] = blocks;
  if (block?.kind !== 'raw') throw new Error('expected raw samples');
  expect(block.timesMs.length).toBe(block.values.length);
  expect(block.values).toContain(0);
});

it('parses values that are not finite', () => {
  const line =
    '{"metric":{"__name__":"a"},"values":[1,null,"Infinity","-Infinity","NaN"],"timestamps":[1,2,3,4,5]}';
  const [block] = parseExportLine(line).blocks;
  expect(block).toMatchObject({
    values: Float64Array.of(1, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN),
  });
});

it.each([
  '{',
  '{"values":[],"timestamps":[]}',
  '{"metric":{},"values":[1],"timestamps":[]}',
  '{"metric":{}}',
])('rejects the line %s', line => {
  expect(() => parseExportLine(line)).toThrow(SeriesError);
});
