import { describe, expect, it } from 'vitest';
import { checkCounter, findSpan } from '../../src/rules/counter.ts';
import { collectFindings } from '../support/report.ts';

const createSlice = (start: number, total: number) => ({
  start_ns: BigInt(start) * 1_000_000_000n,
  end_ns: BigInt(start + 1) * 1_000_000_000n,
  total,
});

// The activity spans at least the time from the end of the first active slice to the start of the last active slice.
it.each([
  ['no slices', [], { minSeconds: 0, maxSeconds: 60 }],
  ['one active slice', [createSlice(0, 5)], { minSeconds: 0, maxSeconds: 60 }],
  [
    'two active slices',
    [createSlice(0, 5), createSlice(1, 0), createSlice(9, 2)],
    { minSeconds: 8, maxSeconds: 60 },
  ],
  [
    'inactive slices at the ends',
    [createSlice(0, 0), createSlice(3, 1), createSlice(5, 1), createSlice(9, 0)],
    { minSeconds: 1, maxSeconds: 60 },
  ],
])('findSpan returns the bounds for %s', (_, timeslices, expected) => {
  expect(findSpan({ timeslices }, 'total', 60)).toEqual(expected);
});

it('findSpan returns no upper bound if the scrape duration is unknown', () => {
  expect(findSpan({}, 'total', undefined)).toEqual({ minSeconds: 0, maxSeconds: Number.POSITIVE_INFINITY });
});

describe('checkCounter', () => {
  const span = { minSeconds: 0, maxSeconds: 60 };
  it.each([
    ['a consistent counter', { total: 100, rate: 2, rate_min: 1, rate_avg: 2, rate_max: 3 }, []],
    ['an idle counter', { total: 0, rate: 0 }, []],
    ['a rate without a total', { total: 0, rate: 1 }, ['counter-idle .rate']],
    [
      'a mean rate above the maximum',
      { total: 100, rate: 2, rate_min: 1, rate_avg: 4, rate_max: 3 },
      ['counter-rates .rate_avg'],
    ],
    [
      'a rate that implies more time than the scrape duration',
      { total: 100, rate: 1 },
      ['rate-duration .rate'],
    ],
    ['a rate of 0 with a total', { total: 100, rate: 0 }, ['rate-duration .rate']],
    ['a reset with an increase', { total: 10, rate: 1, resets: 1, increase: 25 }, []],
    [
      'an increase below the total',
      { total: 10, rate: 1, resets: 1, increase: 5 },
      ['reset-increase .increase'],
    ],
    [
      'a counter that was created in the run',
      { total: 10, rate: 1, created_in_run: true, increase: 12, increase_rate: 1 },
      [],
    ],
    [
      'an increase without a reset or a creation',
      { total: 10, rate: 1, increase: 12 },
      ['reset-increase .increase'],
    ],
    [
      'an increase_rate that implies more time than the scrape duration',
      { total: 10, rate: 1, created_in_run: true, increase: 12, increase_rate: 0.1 },
      ['rate-duration .increase_rate'],
    ],
    ['a resets field of 0', { total: 10, rate: 1, resets: 0, increase: 10 }, ['reset-increase .resets']],
  ])('checks %s', (_, stats, expected) => {
    const findings = collectFindings(report => checkCounter(report, [], stats, span));
    expect(findings.map(finding => finding.slice(0, finding.indexOf(':')))).toEqual(expected);
  });

  it('reports a rate that implies less time than the active timeslices span', () => {
    expect(
      collectFindings(report =>
        checkCounter(report, [], { total: 100, rate: 50 }, { minSeconds: 8, maxSeconds: 60 }),
      ),
    ).toEqual([
      'rate-duration .rate: is 50, which means that 100 were counted in 2.000 s, but its active timeslices span at least 8.000 s',
    ]);
  });
});
