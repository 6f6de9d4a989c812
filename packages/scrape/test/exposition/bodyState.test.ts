import { Layout } from '@org/core';
import { expect, test } from 'vitest';
import { BodyState, type Reading } from '../../src/exposition/bodyState.ts';
import { parseClassic } from '../../src/exposition/classicParser.ts';
import { placeSamples } from '../../src/exposition/samplePlacement.ts';

function readBody(body: string): Reading {
  const layout = new Layout();
  const exposition = parseClassic(Buffer.from(body));
  const placement = placeSamples(layout, exposition);
  return new BodyState(layout.slotCount, exposition, placement).toReading(true, false, body.length);
}

const formatHistogram = (sum: string, count: string, bucket: string): string =>
  `# TYPE h histogram\nh_bucket{le="1"} ${bucket}\nh_bucket{le="+Inf"} 3\nh_sum ${sum}\nh_count ${count}\n`;
const formatSummary = (sum: string, quantile: string): string =>
  `# TYPE s summary\ns{quantile="0.5"} ${quantile}\ns_sum ${sum}\ns_count 3\n`;
const NAN = Number.NaN;

test.each<[string, string, number, number[]]>([
  ['keeps finite values', 'a 1\nb 2\n', 0, [1, 2]],
  ['drops NaN and infinite values', 'a NaN\nb 2\nc +Inf\n', 2, [NAN, 2, NAN]],
  ['keeps a complete histogram', formatHistogram('4', '3', '2'), 0, [4, 3, 2, 3]],
  ['drops a histogram with a NaN sum', formatHistogram('NaN', '3', '2'), 4, [NAN, NAN, NAN, NAN]],
  ['drops a histogram with an infinite bucket', formatHistogram('4', '3', '+Inf'), 4, [NAN, NAN, NAN, NAN]],
  [
    'takes the count of a histogram without a count from its +Inf bucket',
    formatHistogram('4', '3', '2').replace(/h_count.*\n/, ''),
    0,
    [4, 3, 2, 3],
  ],
  [
    'keeps a histogram without a sum',
    formatHistogram('4', '3', '2').replace(/h_sum.*\n/, ''),
    0,
    [NAN, 3, 2, 3],
  ],
  [
    'drops a histogram without a count and a +Inf bucket',
    formatHistogram('4', '3', '2').replace(/h_count.*\n|.*Inf.*\n/g, ''),
    2,
    [NAN, NAN, NAN],
  ],
  ['keeps a summary with a NaN quantile', formatSummary('4', 'NaN'), 1, [4, 3, NAN]],
  ['drops a summary with a NaN sum', formatSummary('NaN', '1'), 3, [NAN, NAN, NAN]],
])('%s', (_, body, dropped, values) => {
  const reading = readBody(body);
  expect([...reading.values]).toEqual(values);
  expect(reading.dropped).toBe(dropped);
});

test('reports the number of samples, the size, and the unsupported families of the body', () => {
  const body = '# TYPE g gaugehistogram\ng 1\na 1\n';
  expect(readBody(body)).toMatchObject({
    changed: true,
    steady: false,
    samples: 2,
    bytes: body.length,
    badLineCount: 0,
    omitted: { unsupported: ['g'], times: [] },
  });
});
