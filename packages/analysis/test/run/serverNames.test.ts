import type { ServerMetricsView } from '@org/formats/read';
import { builtInServers } from '@org/servers';
import { expect, test } from 'vitest';
import { nameServers } from '../../src/run/serverNames.ts';

type Labels = Readonly<Record<string, string>>;
/** A series: the port of its endpoint, its metric and its labels. */
type Entry = readonly [port: number, metric: string, labels: Labels];

function nameByPort(
  entries: readonly Entry[],
  targetLabels: Readonly<Record<number, Labels>> = {},
): Record<string, string> {
  const toUrl = (port: number): string => `http://h:${port}/metrics`;
  const metrics: Record<string, { type: string; description: string; series: object[] }> = {};
  for (const [port, metric, labels] of entries) {
    metrics[metric] ??= { type: 'counter', description: '', series: [] };
    metrics[metric].series.push({ endpoint_url: toUrl(port), labels, stats: { total: 1, rate: 1 } });
  }
  const addresses = new Map(entries.map(([port]) => [toUrl(port), `h:${port}`]));
  const view = { metrics } as unknown as ServerMetricsView;
  const labels = new Map(Object.entries(targetLabels).map(([port, set]) => [toUrl(Number(port)), set]));
  const names = nameServers(view, builtInServers, addresses, labels);
  return Object.fromEntries([...names].map(([url, name]) => [new URL(url).port, name]));
}

const component = (port: number, role: string): Entry => [
  port,
  'dynamo_component_requests',
  { dynamo_component: role },
];
const engine = (port: number, labels: Labels): Entry => [port, 'vllm:num_requests_running', labels];
const sglang = (port: number, type: string): Entry => [port, 'sglang:prompt_tokens', { engine_type: type }];

test.each<[string, Readonly<Record<number, Labels>>, Record<string, string>]>([
  ['pods', { 1: { pod: 'vllm-0' }, 2: { pod: 'vllm-1' } }, { 1: 'vllm-0', 2: 'vllm-1' }],
  [
    'their address if a pod has several endpoints',
    { 1: { pod: 'p' }, 2: { pod: 'p' } },
    { 1: 'h:1', 2: 'h:2' },
  ],
  [
    'the role of their target',
    { 1: { pod: 'a', role: 'prefill' }, 2: { pod: 'b', role: 'decode' } },
    { 1: 'prefill worker', 2: 'decode worker' },
  ],
  [
    'their address if a name has unusual characters',
    { 1: { pod: '<b>', role: '=1+1' } },
    { 1: 'h:1', 2: 'h:2' },
  ],
])('names servers by %s', (_, labels, expected) => {
  expect(nameByPort([engine(1, {}), engine(2, {})], labels)).toEqual(expected);
});

test.each<[string, readonly Entry[], Record<string, string>]>([
  [
    'by the component of Dynamo, numbered in the order of ports',
    [component(8010, 'backend'), component(8002, 'backend'), component(8001, 'prefill')],
    { 8001: 'prefill worker', 8002: 'backend worker 1', 8010: 'backend worker 2' },
  ],
  [
    'by the mode of SGLang',
    [sglang(1, 'prefill'), sglang(2, 'decode')],
    { 1: 'prefill worker', 2: 'decode worker' },
  ],
  [
    'by address if SGLang computes both',
    [sglang(1, 'unified'), sglang(2, 'unified')],
    { 1: 'h:1', 2: 'h:2' },
  ],
  [
    'by rank if each has its own',
    [engine(1, { dp_rank: '0' }), engine(2, { dp_rank: '1' })],
    { 1: 'dp 0', 2: 'dp 1' },
  ],
  [
    'by role and rank',
    [
      component(1, 'backend'),
      engine(1, { dp_rank: '1' }),
      component(2, 'backend'),
      engine(2, { dp_rank: '0' }),
    ],
    { 1: 'backend worker dp 1', 2: 'backend worker dp 0' },
  ],
  [
    'by role and number if workers have the same role and rank',
    [
      component(1, 'backend'),
      engine(1, { engine: '0' }),
      component(2, 'backend'),
      engine(2, { engine: '0' }),
    ],
    { 1: 'backend worker 1', 2: 'backend worker 2' },
  ],
  [
    'by address if replicas have the same rank',
    [engine(1, { engine: '0' }), engine(2, { engine: '0' })],
    { 1: 'h:1', 2: 'h:2' },
  ],
  [
    'by address if an endpoint has several ranks',
    [engine(1, { engine: '0' }), engine(1, { engine: '1' }), engine(2, { engine: '2' })],
    { 1: 'h:1', 2: 'h:2' },
  ],
  [
    'by address if the label is missing, and by role if it is not',
    [component(1, 'prefill'), [2, 'dynamo_component_requests', {}], engine(3, {})],
    { 1: 'prefill worker', 2: 'h:2', 3: 'h:3' },
  ],
  [
    'by address if a server has reported two roles',
    [component(1, 'prefill'), component(1, 'decode'), component(2, 'decode')],
    { 1: 'h:1', 2: 'decode worker' },
  ],
  ['by address for a role of 300 characters', [component(1, 'x'.repeat(300))], { 1: 'h:1' }],
  ['by address for a role with an escape code', [component(1, '\u001b[31mred')], { 1: 'h:1' }],
  ['by address for a role with markup', [component(1, '<b>decode</b>')], { 1: 'h:1' }],
  ['by address for a role that is a formula', [component(1, '=1+1')], { 1: 'h:1' }],
  ['by address for an unknown server', [[1, 'mine_requests', { dynamo_component: 'prefill' }]], { 1: 'h:1' }],
  [
    'by address for a rank that is not a number',
    [engine(1, { dp_rank: 'none' }), engine(2, { dp_rank: '1' })],
    { 1: 'h:1', 2: 'h:2' },
  ],
])('names servers %s', (_, entries, expected) => {
  expect(nameByPort(entries)).toEqual(expected);
});

test('names do not depend on the ports of a run', () => {
  const create = (first: number): Record<string, string> =>
    nameByPort([component(first, 'prefill'), component(first + 1, 'decode'), component(first + 2, 'decode')]);
  expect(Object.values(create(8000))).toEqual(Object.values(create(9000)));
});
