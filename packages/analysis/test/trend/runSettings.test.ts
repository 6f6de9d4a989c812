import { builtInServers, toDefinition } from '@org/servers';
import { expect, test } from 'vitest';
import { createRunFromView } from '../../src/run/run.ts';
import { readConfiguration } from '../../src/trend/runSettings.ts';
import { createDocument, createGauge, createMetric } from '../documents.ts';

const mine = toDefinition({
  name: 'Mine',
  recognize: { prefixes: ['mine_'], build_info: [{ metric: 'mine_info', version: 'version' }] },
});

const LABELS = { gpu_memory_utilization: '0.9', engine: '0' };

test('reads the kind, version and settings of a server, but not the identity of a process', () => {
  const document = createDocument({
    mine_info: createMetric('gauge', [createGauge(1, { labels: { version: '1.2.3' } })]),
    mine_config_info: createMetric('gauge', [createGauge(1, { labels: LABELS })]),
  });
  const run = createRunFromView(document, 'run', builtInServers.with([mine]));
  const { environment } = readConfiguration(run, []);
  expect([...environment].filter(([name]) => name !== 'Servelens' && name !== 'AIPerf')).toEqual([
    ['metrics endpoints', expect.stringMatching(/^\d$/)],
    ['servers', 'Mine'],
    ['Mine', '1.2.3'],
    ['gpu_memory_utilization', '0.9'],
  ]);
});
