import { expect, test } from 'vitest';
import type { Verdict } from '../../../src/compare/rows/row.ts';
import { groupRows } from '../../../src/compare/rows/topics.ts';

const createRow = (name: string, verdict: Verdict, base = 1, value = 2) =>
  ({ name, verdict, stat: 'avg', type: 'histogram', base, new: value }) as const;

const TTFT = 'vllm:time_to_first_token_seconds';
const LATENCY = 'vllm:e2e_request_latency_seconds';
const ITL = 'vllm:inter_token_latency_seconds';

/** Groups rows and returns the names of each group. */
const listGroups = (...rows: ReturnType<typeof createRow>[]) =>
  groupRows(rows).map(group => [group.topic, ...group.rows.map(({ name }) => name)]);

test.each<[string, ReturnType<typeof createRow>[], (string | null)[][]]>([
  [
    'rows with the same topic and verdict',
    [
      createRow(ITL, 'worse'),
      createRow('vllm:generation_tokens', 'worse'),
      createRow('vllm:request_decode_time_seconds', 'worse'),
    ],
    [
      ['token generation', ITL, 'vllm:request_decode_time_seconds'],
      ['throughput', 'vllm:generation_tokens'],
    ],
  ],
  [
    'a request latency that rose before the first token with queueing',
    [
      createRow(TTFT, 'worse', 0.1, 9),
      createRow(ITL, 'worse', 0.01, 0.012),
      createRow(LATENCY, 'worse', 1, 10.5),
    ],
    [
      ['queueing', TTFT, LATENCY],
      ['token generation', ITL],
    ],
  ],
  [
    'a request latency that rose after the first token with token generation',
    [
      createRow(TTFT, 'worse', 0.1, 0.12),
      createRow(ITL, 'worse', 0.01, 0.02),
      createRow(LATENCY, 'worse', 1, 2),
    ],
    [
      ['queueing', TTFT],
      ['token generation', ITL, LATENCY],
    ],
  ],
  [
    'a request latency after its cause, even if the latency changed more',
    [createRow(LATENCY, 'worse', 1, 2), createRow(ITL, 'worse', 0.01, 0.019)],
    [['token generation', ITL, LATENCY]],
  ],
  [
    'the times of connections, and the work of a frontend',
    [
      createRow('http_req_dns_lookup', 'worse'),
      createRow('dynamo_frontend_event_loop_delay_seconds', 'worse'),
      createRow('http_req_connection_overhead', 'worse'),
      createRow('dynamo_frontend_stage_duration_seconds', 'worse'),
      createRow('credit_drop_latency', 'worse'),
      createRow('http_req_waiting', 'worse'),
    ],
    [
      ['connections', 'http_req_dns_lookup', 'http_req_connection_overhead', 'credit_drop_latency'],
      ['frontend', 'dynamo_frontend_event_loop_delay_seconds', 'dynamo_frontend_stage_duration_seconds'],
      ['queueing', 'http_req_waiting'],
    ],
  ],
  [
    'no rows with different verdicts',
    [createRow(TTFT, 'worse'), createRow('vllm:request_queue_time_seconds', 'better')],
    [
      ['queueing', TTFT],
      ['queueing', 'vllm:request_queue_time_seconds'],
    ],
  ],
  [
    'only rows that changed',
    [createRow(TTFT, 'worse'), createRow('vllm:request_queue_time_seconds', 'no evidence')],
    [['queueing', TTFT]],
  ],
])('groups %s', (_, rows, expected) => {
  expect(listGroups(...rows)).toEqual(expected);
});
