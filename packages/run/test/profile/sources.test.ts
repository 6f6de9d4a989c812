import { parseMetricsTarget } from '@org/scrape';
import { expect, test } from 'vitest';
import { profile } from '../../src/index.ts';
import { FakeSource } from '../fakeSource.ts';
import { createProfilePlan, startSimulator } from '../plans.ts';

const url = await startSimulator();

test('a profile run scrapes the endpoints of its sources, and compares their counts with the counts of the client', async () => {
  const source = new FakeSource([
    { ...parseMetricsTarget(url), identity: 'uid-1', labels: { pod: 'vllm-0' } },
  ]);
  const plan = createProfilePlan(url, {
    targets: [],
    sources: [source],
    exports: { formats: ['json'] },
    settleSeconds: 0.1,
  });
  const { server, document } = await profile(plan);
  expect(server!.record.endpoints).toMatchObject([{ url: `${url}/metrics`, labels: { pod: 'vllm-0' } }]);
  expect(server!.record.sources).toEqual([{ name: 'fake source', lists: 1, problems: 0 }]);
  expect(document).toHaveProperty('request_latency');
  expect(server!.exports.document.metrics['vllm:request_success']!.series).not.toEqual([]);
});
