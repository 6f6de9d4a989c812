import { countInFlight, type ObservedRun } from '../../support/observedRun.ts';
import { isRegular, readLines, readTurnDelays } from '../../support/recordedLines.ts';
import type { Effect } from './effect.ts';

/** Reports whether a request was sent only after another one had ended. */
const hasLateRequest = (run: ObservedRun, phase?: string): boolean =>
  readLines(run, phase).some((line, _, lines) => line.credit_issued_ns > lines[0].request_end_ns);

/** Times between the turns of a session, in ms. */
const readTurnGaps = (run: ObservedRun): number[] =>
  readLines(run).flatMap((line, _, lines) => {
    const previous = lines.find(
      other => other.session_num === line.session_num && other.turn_index === line.turn_index - 1,
    );
    return previous ? [(line.credit_issued_ns - previous.credit_issued_ns) / 1e6] : [];
  });

/** Lists the effects of options that limit the load, or change it over time, with the server at `url`. */
export function listLoadEffects(url: string): Readonly<Record<string, Effect>> {
  const wait = `--url ${url}/wait/1000`;
  const shortWait = `--url ${url}/wait/100`;
  const users = '--user-centric-rate 20 --num-users 2 --conversation-turn-mean 3';
  return {
    'session-header': {
      observe: ({ requests }) => 'x-session-id' in requests[0]!.headers,
      without: false,
      with: true,
    },
    'prefill-concurrency': {
      requires: `${wait} --streaming --concurrency 3 --request-count 3`,
      observe: ({ requests }) => countInFlight(requests),
      without: 3,
      with: 2,
    },
    'prefill-concurrency-ramp-duration': {
      words: '--prefill-concurrency-ramp-duration 2',
      requires: `${shortWait} --streaming --concurrency 5 --prefill-concurrency 5 --request-count 5`,
      observe: run => hasLateRequest(run),
      without: false,
      with: true,
    },
    'request-rate-series': {
      requires: `${wait} --request-count 3`,
      observe: ({ requests }) => countInFlight(requests),
      without: 1,
      with: 3,
    },
    'user-centric-rate': {
      words: users,
      requires: '--conversation-turn-mean 3',
      observe: run => Math.min(...readTurnGaps(run)) > 99,
      without: false,
      with: true,
    },
    'num-users': {
      requires: users,
      observe: run => Math.min(...readTurnGaps(run)) > 199,
      without: false,
      with: true,
    },
    'conversation-turn-delay-ratio': {
      observe: run => Math.min(...readTurnDelays(run)) > 49,
      without: true,
      with: false,
    },
    'num-warmup-sessions': { observe: ({ requests }) => requests.length, without: 10, with: 12 },
    'warmup-prefill-concurrency': {
      requires: `${wait} --streaming --warmup-concurrency 2 --warmup-request-count 2 --request-count 1`,
      observe: ({ requests }) => countInFlight(requests),
      without: 2,
      with: 1,
    },
    'warmup-concurrency-ramp-duration': {
      words: '--warmup-concurrency-ramp-duration 2',
      requires: `${shortWait} --warmup-concurrency 5 --warmup-request-count 5 --request-count 1`,
      observe: run => hasLateRequest(run, 'warmup'),
      without: false,
      with: true,
    },
    'warmup-prefill-concurrency-ramp-duration': {
      words: '--warmup-prefill-concurrency-ramp-duration 2',
      requires: `${shortWait} --streaming --warmup-concurrency 5 --warmup-prefill-concurrency 5 --warmup-request-count 5 --request-count 1`,
      observe: run => hasLateRequest(run, 'warmup'),
      without: false,
      with: true,
    },
    'warmup-request-rate-ramp-duration': {
      requires:
        '--warmup-request-count 8 --warmup-request-rate 50 --warmup-arrival-pattern constant --request-count 1',
      observe: run => isRegular(run, 'warmup'),
      without: true,
      with: false,
    },
  };
}
