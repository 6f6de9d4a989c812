import type { RunExports } from '@org/run/export';
import { expect, test } from 'vitest';
import { reportDeadServers } from '../../src/screens/deadServers.ts';

const START_NS = 1_795_254_800_000_000_000n;
const at = (seconds: number): bigint => START_NS + BigInt(seconds) * 1_000_000_000n;

const ACTIVE = { total_fetches: 60, first_fetch_ns: at(0), last_fetch_ns: at(20), status: 'active' };
const DEAD = {
  ...ACTIVE,
  last_fetch_ns: at(7),
  last_failure_ns: at(20),
  status: 'failing',
  outages: [{ start_ns: at(8), scrapes: 39, reason: 'refused', message: 'refused the connection' }],
};

/** Reports the dead servers of a run of 20 s with these endpoints. */
function report(infos: Readonly<Record<string, object>>, isRequired: boolean): [boolean, string[]] {
  const urls = Object.keys(infos);
  const summary = {
    endpoints_configured: urls,
    endpoints_successful: urls,
    start_time: '2026-11-21T09:53:20Z',
    end_time: '2026-11-21T09:53:40Z',
    profiling_start_ns: at(0),
    profiling_end_ns: at(20),
    endpoint_info: infos,
  };
  const document = { schema_version: '1.0', summary, metrics: {}, input_config: {} };
  const errors: string[] = [];
  const log = { error: (message: string) => errors.push(message) } as never;
  const result = reportDeadServers({ document } as unknown as Pick<RunExports, 'document'>, isRequired, log);
  return [result, errors];
}

const MESSAGE = 'localhost:8000 stopped responding after 7 s and did not recover';

test.each<[string, Readonly<Record<string, object>>, boolean, [boolean, string[]]]>([
  [
    'logs the death of the only server and fails',
    { 'http://localhost:8000/metrics': DEAD },
    false,
    [true, [MESSAGE]],
  ],
  [
    'logs the death of one of several servers',
    { 'http://localhost:8000/metrics': DEAD, 'http://localhost:8001/metrics': ACTIVE },
    false,
    [false, [MESSAGE]],
  ],
  [
    'fails with --require-server-metrics if one of several servers died',
    { 'http://localhost:8000/metrics': DEAD, 'http://localhost:8001/metrics': ACTIVE },
    true,
    [true, [MESSAGE]],
  ],
  [
    'accepts servers that respond until the end',
    { 'http://localhost:8000/metrics': ACTIVE },
    true,
    [false, []],
  ],
])('%s', (_, infos, isRequired, expected) => {
  expect(report(infos, isRequired)).toEqual(expected);
});
