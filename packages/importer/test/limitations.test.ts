import { expect, test } from 'vitest';
import { describeClockSkew, type ImportFindings, listLimitations } from '../src/limitations.ts';

const COMPLETE: ImportFindings = {
  fromMs: 0,
  toMs: 3_600_000,
  pieceMs: 3_600_000,
  sampled: { startNs: 60_000_000_000n, endNs: 3_540_000_000_000n },
  endpoints: [{ hasUp: true, ends: 2, moved: 0 }],
  types: { metadata: 5, known_server: 0, name: 0, none: 0 },
  clockSkewMs: 0,
};
const UNKNOWN_COST = 'response times and sizes of the scrapes are unknown';

test.each<[string, Partial<ImportFindings>, string[]]>([
  ['only the cost of the scrapes, if everything else is known', {}, []],
  [
    'a part of the range without samples',
    { sampled: { startNs: 0n, endNs: 3_479_000_000_000n } },
    [
      'the source has samples only from 1970-01-01T00:00:00Z to 1970-01-01T00:57:59Z, of the requested range from 1970-01-01T00:00:00Z to 1970-01-01T01:00:00Z',
    ],
  ],
  [
    'the ends of series only of endpoints without up',
    {
      endpoints: [
        { hasUp: true, ends: 2, moved: 0 },
        { hasUp: false, ends: 1, moved: 0 },
      ],
    },
    [
      'the metric up of 1 endpoint was not imported: failed scrapes are unknown and are not counted; all series of an endpoint ended 1 time',
    ],
  ],
  [
    'moved samples of all endpoints',
    {
      endpoints: [
        { hasUp: true, ends: 0, moved: 2 },
        { hasUp: true, ends: 0, moved: 3 },
      ],
    },
    ['5 samples with explicit timestamps are stored with the time of the scrape that returned them'],
  ],
  [
    'types that are inferred or unknown',
    { types: { metadata: 1, known_server: 2, name: 3, none: 4 } },
    [
      'the source has no types of some metrics: 5 were inferred from names and known servers, and 4 are unknown (counted per endpoint)',
    ],
  ],
])('lists %s', (_, findings, expected) => {
  expect(listLimitations({ ...COMPLETE, ...findings })).toEqual([...expected, UNKNOWN_COST]);
});

test.each([
  [9999, []],
  [10_000, ['the clock of the server is 10 s ahead of the clock of this machine']],
  [-90_000, ['the clock of the server is 90 s behind the clock of this machine']],
])('describes a clock skew of %d ms', (skewMs, expected) => {
  const sentences = describeClockSkew(skewMs);
  expect(sentences).toEqual(expected.map(sentence => `${sentence}, which determines relative times and now`));
});
