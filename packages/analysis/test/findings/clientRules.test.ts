import type { ProfileExport } from '@org/formats';
import { expect, test } from 'vitest';
import { findFindings } from '../../src/findings/findFindings.ts';
import { createRun } from '../../src/run/run.ts';
import { createDocument } from '../documents.ts';
import { HEALTHY_METRICS } from './runs.ts';

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
        { kind: 'server_stalled', message: 'no server processed requests for 13.2 s; hint', count: 8 },
      ],
    },
  };
  const view = createDocument(HEALTHY_METRICS);
  const findings = findFindings(createRun({ name: '', layout: 'json', files: {}, view, profile }));
  expect(
    findings.map(({ id, evidence }) => [id, evidence.map(({ text, magnitude }) => [text, magnitude])]),
  ).toEqual([
    [
      'client-server-mismatch',
      [
        ['7 requests of other clients', 7],
        ['2 responses were lost', 2],
      ],
    ],
    ['stalled-server', [['no server processed requests for 13.2 s', 8]]],
    ['truncated-streams', [['3 streams ended without [DONE]', 0]]],
  ]);
});
