import { expect, test } from 'vitest';
import { listReconciliationRows } from '../../client/clientSections.ts';

test('lists counts, then latencies', () => {
  expect(
    listReconciliationRows({
      server: 'vLLM',
      requests: { client: 1000, server: 1010, difference: 10 },
      generation_tokens: { client: 12345, server: 12345, difference: 0 },
      latencies: [
        {
          metric: 'time_to_first_token',
          client_avg_ms: 120,
          server_avg_ms: 100,
          outside_avg_ms: 20,
          outside_share: 1 / 6,
        },
      ],
      findings: [],
    }),
  ).toEqual([
    { name: 'requests', cells: ['1,000', '1,010', '10'] },
    { name: 'generation tokens', cells: ['12,345', '12,345', '0'] },
    { name: 'time_to_first_token, average', cells: ['120 ms', '100 ms', '20 ms (17%)'] },
  ]);
});

test('names the server that counted tokens, if another one counted the requests', () => {
  const requests = { client: 40, server: 40, difference: 0 };
  const tokens = { client: 2000, server: 2000, difference: 0, counted_by: 'llama.cpp' };
  const rows = listReconciliationRows({
    server: 'SGLang router',
    requests,
    generation_tokens: tokens,
    latencies: [],
    findings: [],
  });
  expect(rows.map(({ name }) => name)).toEqual(['requests', 'generation tokens, counted by llama.cpp']);
});
