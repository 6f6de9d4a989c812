import type { ProfileExport } from '@org/formats';
import { expect, test } from 'vitest';
import { findFindings } from '../../src/findings/findFindings.ts';
import { createRun } from '../../src/run/run.ts';
import { createDocument } from '../documents.ts';
import { HEALTHY_METRICS } from './runs.ts';

test.each([
  ['server_stalled', /cold server .*--warmup-request-count/],
  ['server_unresponsive', /include this time\. See the log of the server for the cause\.$/],
])('advises on %s', (kind, expected) => {
  const findings = [{ kind, message: 'for 10 s, nothing', count: 4 }];
  const profile = { schema_version: '1.3', reconciliation: { server: 'vLLM', latencies: [], findings } };
  const parts = { name: '', layout: 'json', files: {}, view: createDocument(HEALTHY_METRICS) } as const;
  const run = createRun({ ...parts, profile: profile as unknown as ProfileExport });
  expect(findFindings(run).find(({ id }) => id === 'stalled-server')!.advice).toMatch(expected);
});

test('reports findings of the profile export', () => {
  const profile: ProfileExport = {
    schema_version: '1.3',
    load_generator: {
      tokenizer: 'server',
      warnings: [
        { kind: 'send_delay', message: 'sent late' },
        { kind: 'missing_end_markers', message: '3 streams ended without [DONE]' },
      ],
    },
    reconciliation: {
      server: 'vLLM',
      latencies: [],
      findings: [
        { kind: 'responses_lost', message: '2 responses were lost', count: 2 },
        { kind: 'other_clients', message: '7 requests of other clients', count: 7 },
        { kind: 'server_stalled', message: 'for 13.2 s, nothing; hint', count: 8 },
        { kind: 'server_unresponsive', message: 'for 9.3 s, no metrics', count: 9 },
      ],
    },
  };
  const view = createDocument(HEALTHY_METRICS);
  const findings = findFindings(createRun({ name: '', layout: 'json', files: {}, view, profile }));
  expect(
    findings.map(({ id, evidence }) => [id, evidence.map(({ text, magnitude }) => [text, magnitude])]),
  ).toEqual([
    [
      'stalled-server',
      [
        ['for 13.2 s, nothing', 2],
        ['for 9.3 s, no metrics', 1],
      ],
    ],
    [
      'client-server-mismatch',
      [
        ['7 requests of other clients', 7],
        ['2 responses were lost', 2],
      ],
    ],
    ['truncated-streams', [['3 streams ended without [DONE]', 0]]],
  ]);
});
