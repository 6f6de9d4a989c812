import { expect, test } from 'vitest';
import { reconcile } from '../../src/reconciliation/reconcile.ts';
import { A, B, C, createClient, createDocument } from './sides.ts';

const usage = { usage_completion_tokens: { unit: 'tokens', avg: 5, count: 10, sum: 50 } };
const tokenized = { output_sequence_length: { unit: 'tokens', avg: 5, count: 10, sum: 50 } };

test.each([
  ['agreement', createClient(), { document: createDocument({ [A]: 10 }) }, []],
  [
    'aborted requests',
    createClient({ failed: 2 }),
    { document: createDocument({ [A]: 10 }, { aborted: 2 }) },
    [],
  ],
  ['foreign traffic', createClient(), { document: createDocument({ [A]: 13 }) }, [['other_clients', 3]]],
  [
    'lost responses',
    createClient({ failed: 4 }),
    { document: createDocument({ [A]: 12 }) },
    [['responses_lost', 2]],
  ],
  [
    'requests that the servers aborted, and foreign traffic',
    createClient({ failed: 3 }),
    { document: createDocument({ [A]: 12 }, { aborted: 3 }) },
    [['other_clients', 2]],
  ],
  [
    'lost responses and foreign traffic',
    createClient({ failed: 1 }),
    { document: createDocument({ [A]: 14 }) },
    [
      ['responses_lost', 1],
      ['other_clients', 3],
    ],
  ],
  [
    'warm-up requests that the servers completed during profiling',
    createClient({ warmupCutOff: 2 }),
    { document: createDocument({ [A]: 12 }) },
    [['warmup_leakage', 2]],
  ],
  [
    'warm-up requests that are running at the start',
    createClient({ warmupCutOff: 2 }),
    { document: createDocument({ [A]: 10 }), runningAtStart: 2 },
    [['warmup_leakage', 2]],
  ],
  [
    'foreign requests that are running at the start',
    createClient(),
    { document: createDocument({ [A]: 10 }), runningAtStart: 3 },
    [['server_busy_at_start', 3]],
  ],
  [
    'a replica that is not scraped',
    createClient(),
    { document: createDocument({ [A]: 5, [B]: 0 }) },
    [['requests_missing', 5]],
  ],
  [
    'replicas behind one address',
    createClient(),
    { document: createDocument({ [A]: 10 }), mixedEndpoints: [A] },
    [['mixed_replicas', 1]],
  ],
  [
    'replicas behind one address that are also scraped directly',
    createClient(),
    { document: createDocument({ [A]: 2795, [B]: 6, [C]: 4 }), mixedEndpoints: [A] },
    [['mixed_replicas', 1]],
  ],
  [
    'replicas behind one address, some of them scraped directly',
    createClient(),
    { document: createDocument({ [A]: 2795, [B]: 6 }), mixedEndpoints: [A] },
    [
      ['requests_missing', 4],
      ['mixed_replicas', 1],
    ],
  ],
  [
    'a restart',
    createClient(),
    { document: createDocument({ [A]: 10 }, { resets: 1 }) },
    [['counters_reset', 1]],
  ],
  [
    'replicas behind one address with alternating counters',
    createClient(),
    { document: createDocument({ [A]: 33 }, { resets: 4 }) },
    [['mixed_replicas', 1]],
  ],
  [
    'a surplus after resets',
    createClient(),
    { document: createDocument({ [A]: 12 }, { resets: 2 }) },
    [['counters_reset', 1]],
  ],
  [
    'a restart that lost requests',
    createClient(),
    { document: createDocument({ [A]: 7 }, { resets: 1 }) },
    [
      ['requests_missing', 3],
      ['counters_reset', 1],
    ],
  ],
  [
    'equal tokens',
    createClient({ blocks: usage }),
    { document: createDocument({ [A]: 10 }, { tokens: 50 }) },
    [],
  ],
  [
    'token counts in `usage` that differ from the server metrics',
    createClient({ blocks: usage }),
    { document: createDocument({ [A]: 10 }, { tokens: 51 }) },
    [['token_counts_differ', 1]],
  ],
  [
    'a small difference between tokenizers',
    createClient({ blocks: tokenized }),
    { document: createDocument({ [A]: 10 }, { tokens: 53 }) },
    [],
  ],
  [
    'a large difference between tokenizers',
    createClient({ blocks: tokenized }),
    { document: createDocument({ [A]: 10 }, { tokens: 80 }) },
    [['token_counts_differ', 30]],
  ],
] as const)('finds discrepancies: %s', (_, client, server, expected) => {
  const reconciliation = reconcile(client, { mixedEndpoints: [], ...server })!;
  expect(reconciliation.findings.map(({ kind, count }) => [kind, count])).toEqual(expected);
});

test('the message mentions endpoints that counted no requests', () => {
  const { findings } = reconcile(createClient(), {
    document: createDocument({ [A]: 5, [B]: 0 }),
    mixedEndpoints: [],
  })!;
  expect(findings[0]!.message).toMatch(/1 of 2 endpoints counted no requests/);
});
