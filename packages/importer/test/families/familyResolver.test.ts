import { expect, it } from 'vitest';
import type { MetricMetadata } from '../../src/api/metadata.ts';
import { FamilyResolver } from '../../src/families/familyResolver.ts';

const METADATA = new Map<string, MetricMetadata>([
  ['requests_total', { type: 'counter', help: 'Requests' }],
  ['tokens', { type: 'counter', help: 'Tokens', unit: 'tokens' }],
  ['latency', { type: 'histogram', help: '' }],
  ['rpc', { type: 'summary', help: '' }],
  ['queue_count', { type: 'gauge', help: '' }],
  ['old', { type: 'untyped', help: '' }],
  ['build', { type: 'info', help: '' }],
]);
const KNOWN = new Map([
  ['running', 'gauge'],
  ['generated', 'counter'],
  ['ttft', 'histogram'],
] as const);
const resolver = new FamilyResolver(METADATA, KNOWN);

/** Names of the same endpoint, and those with a `quantile` label. */
const NAMES = new Set([
  'wait_bucket',
  'wait_sum',
  'wait_count',
  'size_sum',
  'size_count',
  'lone_count',
  'gc',
]);
const EVIDENCE = { has: (name: string) => NAMES.has(name), hasQuantiles: (name: string) => name === 'gc' };

it.each([
  ['requests_total', 'requests', 'counter', 'metadata'],
  ['tokens_total', 'tokens', 'counter', 'metadata'],
  ['tokens_created', 'tokens', 'counter', 'metadata'],
  ['latency_bucket', 'latency', 'histogram', 'metadata'],
  ['latency_sum', 'latency', 'histogram', 'metadata'],
  ['latency_count', 'latency', 'histogram', 'metadata'],
  ['rpc', 'rpc', 'summary', 'metadata'],
  ['rpc_sum', 'rpc', 'summary', 'metadata'],
  ['queue_count', 'queue_count', 'gauge', 'metadata'],
  ['old', 'old', 'unknown', 'metadata'],
  ['build_info', 'build', 'info', 'metadata'],
  ['running', 'running', 'gauge', 'known_server'],
  ['generated_total', 'generated', 'counter', 'known_server'],
  ['ttft_bucket', 'ttft', 'histogram', 'name'],
  ['wait_bucket', 'wait', 'histogram', 'name'],
  ['wait_sum', 'wait', 'histogram', 'name'],
  ['size_sum', 'size', 'summary', 'name'],
  ['gc', 'gc', 'summary', 'name'],
  ['gc_count', 'gc', 'summary', 'name'],
  ['errors_total', 'errors', 'counter', 'name'],
  ['process_start_time_seconds', 'process_start_time_seconds', 'gauge', 'name'],
  ['config_info', 'config_info', 'gauge', 'name'],
  ['lone_count', 'lone_count', 'unknown', 'none'],
  ['temperature', 'temperature', 'unknown', 'none'],
])('%s is in the family %s of type %s (%s)', (sample, name, type, source) => {
  expect(resolver.resolve(sample, EVIDENCE)).toMatchObject({ name, type, source });
});

it('has the HELP text and the unit of the metadata', () => {
  expect(resolver.resolve('tokens_total', EVIDENCE)).toEqual({
    name: 'tokens',
    type: 'counter',
    help: 'Tokens',
    unit: 'tokens',
    sampleName: 'tokens_total',
    source: 'metadata',
  });
});
