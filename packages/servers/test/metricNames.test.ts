import { expect, test } from 'vitest';
import { toDefinition } from '../src/definitionFile.ts';
import { findMetrics } from '../src/metrics.ts';
import { ServerCatalog } from '../src/serverCatalog.ts';

const RANKS = { repeats: ['tp_rank'] };
const catalog = new ServerCatalog([
  toDefinition({
    name: 'Mine',
    recognize: { prefixes: ['mine_'], renamed: ['cluster_mine_'] },
    key_metrics: [{ name: 'mine_queue', stat: 'max', meaning: 'queue depth' }],
    roles: { cache_hit_rate: { metrics: ['mine_hit_rate'], operation: 'mean' } },
    metrics: {
      mine_queue: { type: 'gauge', meaning: 'Requests that wait.', ...RANKS },
      mine_waiting: { type: 'gauge', meaning: 'Requests that wait.', replaced_by: 'mine_queue' },
      mine_pending: { type: 'gauge', meaning: 'Requests that wait.', replaced_by: 'mine_waiting' },
      mine_hit_rate: { type: 'gauge', meaning: 'Share of hits.' },
      mine_tokens: { type: 'counter', meaning: 'Tokens.' },
    },
  }),
]);

test('lists the own name of a metric first, then older names, then renamed ones', () => {
  expect(catalog.listNames('mine_queue')).toEqual([
    ...['mine_queue', 'mine_waiting', 'mine_pending'],
    ...['cluster_mine_queue', 'cluster_mine_waiting', 'cluster_mine_pending'],
  ]);
  expect(catalog.listNames('other_queue')).toEqual(['other_queue']);
});

test('recognizes a server by a renamed metric', () => {
  expect(catalog.recognize(['cluster_mine_queue'])).toEqual(catalog.servers);
  expect(catalog.stripPrefix('cluster_mine_queue')).toBe('queue');
});

test('a renamed prefix replaces the prefix that it ends with, otherwise the first one', () => {
  const { listNames, restoreName } = bindNames(['gpu_', 'pcie_'], ['amd_pcie_', 'amd_gpu_', 'card:']);
  expect(listNames('pcie_rx')).toEqual(['pcie_rx', 'amd_pcie_rx']);
  expect(listNames('gpu_power')).toEqual(['gpu_power', 'amd_gpu_power', 'card:power']);
  expect(['amd_pcie_rx', 'amd_gpu_power', 'card:power'].map(restoreName)).toEqual([
    ...['pcie_rx', 'gpu_power', 'gpu_power'],
  ]);
});

test.each(['mine_queue', 'mine_pending', 'cluster_mine_queue', 'cluster_mine_waiting'])(
  '%s is a key metric under each of its names',
  name => {
    expect(catalog.isKeyMetric(name)).toBe(true);
  },
);

test('a renamed metric is averaged and repeated like the original', () => {
  expect(catalog.isAveraged('cluster_mine_hit_rate')).toBe(true);
  const ranks = [{ tp_rank: '0' }, { tp_rank: '1' }];
  expect(catalog.omitRepeats('cluster_mine_queue', ranks, labels => labels)).toEqual([ranks[0]]);
});

test('describes a renamed metric under the name that was asked for, without suffixes', () => {
  const names = (name: string): string[] => findMetrics(name, catalog).map(metric => metric.name);
  expect(names('cluster_mine_queue')).toEqual(['cluster_mine_queue']);
  expect(names('cluster_mine_tokens_total')).toEqual(['cluster_mine_tokens']);
});

test('a circle of newer names ends', () => {
  const circle = new ServerCatalog([
    toDefinition({
      name: 'Circle',
      recognize: { prefixes: ['c_'] },
      metrics: { c_a: { replaced_by: 'c_b' }, c_b: { replaced_by: 'c_a' } },
    }),
  ]);
  expect(circle.listNames('c_a')).toEqual(['c_a', 'c_b']);
  expect(circle.isKeyMetric('c_a')).toBe(false);
});

function bindNames(
  prefixes: readonly string[],
  renamed: readonly string[],
): { listNames: (name: string) => readonly string[]; restoreName: (name: string) => string } {
  const gpus = new ServerCatalog([toDefinition({ name: 'GPUs', recognize: { prefixes, renamed } })]);
  return {
    listNames: name => gpus.listNames(name),
    restoreName: name => gpus.restoreName(name),
  };
}
