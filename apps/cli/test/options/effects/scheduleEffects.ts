import { countInFlight } from '../../support/observedRun.ts';
import { computeGaps, isRegular, readDueTimes, readLines } from '../../support/recordedLines.ts';
import type { Effect } from './effect.ts';
import { computeVariation, DOCUMENT, readLoad, readTag } from './observations.ts';

/** Lists the effects of options for the times of requests, with the server at `url`. */
export function listScheduleEffects(url: string): Readonly<Record<string, Effect>> {
  const wait = `--url ${url}/wait/1000`;
  return {
    concurrency: {
      requires: `${wait} --request-count 3`,
      observe: ({ requests }) => countInFlight(requests),
      without: 1,
      with: 3,
    },
    'request-rate': {
      requires: `${wait} --request-count 3`,
      observe: ({ requests }) => countInFlight(requests),
      without: 1,
      with: 3,
    },
    'arrival-pattern': { observe: run => isRegular(run), without: false, with: true },
    'arrival-smoothness': {
      requires: '--request-rate 200 --arrival-pattern gamma --request-count 60',
      observe: run => computeVariation(computeGaps(readDueTimes(run))) < 0.7,
      without: false,
      with: true,
    },
    'request-count': { observe: ({ requests }) => requests.length, without: 10, with: 3 },
    'num-sessions': { observe: ({ requests }) => requests.length, without: 10, with: 3 },
    'benchmark-duration': {
      observe: run => readLoad(run).stop_reason,
      without: 'requests',
      with: 'duration',
    },
    'benchmark-grace-period': {
      requires: `--url ${url}/wait/2000 --benchmark-duration 0.3`,
      observe: readTag('cancelled_request_count'),
      without: undefined,
      with: 1,
    },
    'concurrency-ramp-duration': {
      words: '--concurrency-ramp-duration 2',
      requires: `--url ${url}/wait/100 --concurrency 5 --request-count 5`,
      observe: run =>
        readLines(run).some((line, _, lines) => line.credit_issued_ns > lines[0].request_end_ns),
      without: false,
      with: true,
    },
    'request-rate-ramp-duration': {
      requires: '--request-rate 50 --arrival-pattern constant',
      observe: run => isRegular(run),
      without: true,
      with: false,
    },
    'request-cancellation-rate': {
      observe: readTag('cancelled_request_count'),
      without: undefined,
      with: 10,
    },
    'request-cancellation-delay': {
      words: '--request-cancellation-delay 2',
      requires: `--url ${url}/wait/20000 --request-cancellation-rate 100 --request-count 1`,
      observe: run =>
        readLines(run).every(line => line.cancellation_time_ns - line.request_start_ns >= 1.9e9),
      without: false,
      with: true,
    },
    'failed-request-threshold': {
      requires: `--url ${url}/fail --request-count 30`,
      observe: run => readLoad(run).stop_reason,
      without: 'requests',
      with: 'failed_requests',
    },
    // Tests of the package run end a load by this option.
    'stop-over-saturated': {
      observe: ({ readJson }) => readJson(DOCUMENT).servelens_config.over_saturation_window,
      without: undefined,
      with: 30,
    },
    'over-saturation-window': {
      observe: ({ readJson }) => readJson(DOCUMENT).servelens_config.over_saturation_window,
      without: 30,
      with: 20,
    },
    workers: { observe: run => readLoad(run).workers, without: undefined, with: 1 },
    'random-seed': {
      observe: ({ readJson }) => readJson(DOCUMENT).run_info.random_seed,
      without: 7,
      with: 5,
    },
    'warmup-duration': { observe: ({ requests }) => requests.length > 10, without: false, with: true },
    'warmup-request-count': { observe: ({ requests }) => requests.length, without: 10, with: 13 },
    'warmup-concurrency': {
      requires: `${wait} --warmup-request-count 2 --request-count 1`,
      observe: ({ requests }) => countInFlight(requests),
      without: 1,
      with: 2,
    },
    'warmup-request-rate': {
      requires: `${wait} --warmup-request-count 3 --request-count 1`,
      observe: ({ requests }) => countInFlight(requests),
      without: 1,
      with: 3,
    },
    'warmup-arrival-pattern': {
      requires: '--warmup-request-count 8 --warmup-request-rate 50 --request-count 1',
      observe: run => isRegular(run, 'warmup'),
      without: false,
      with: true,
    },
    'warmup-grace-period': {
      requires: `--url ${url}/wait/2000 --warmup-duration 0.3 --request-count 1`,
      observe: ({ requests }) => requests[0]!.isClosed,
      without: false,
      with: true,
    },
  };
}
