import { parseMetricsTarget } from '@org/scrape';
import { expect, test } from 'vitest';
import { createProfileConfig } from '../../src/plan/profileConfig.ts';
import type { RequestPlan } from '../../src/plan/profilePlan.ts';
import { resolvePlan } from '../../src/plan/runPlan.ts';
import { createProfilePlan } from '../plans.ts';

function createConfig(changes: Partial<RequestPlan>, ...targets: string[]): Record<string, unknown> {
  const plan = createProfilePlan('http://a:1');
  const request = { ...plan.request, ...changes };
  return createProfileConfig(
    resolvePlan({ ...plan, request, targets: targets.map(url => parseMetricsTarget(url)) }),
    'b',
  );
}

test.each([
  ['/v1/chat/completions', '/v1/chat/completions'],
  ['/v1/chat?api_key=hunter2&user=me', '/v1/chat?api_key=REDACTED&user=me'],
  ['v1/chat?api_key=hunter2', 'v1/chat?api_key=REDACTED'],
  ['models/a@2/chat', 'models/a@2/chat'],
  ['a@2/chat', 'a@2/chat'],
])('records the path %s as %s', (path, recorded) => {
  expect(createConfig({ path }).endpoint).toMatchObject({ custom_endpoint: recorded });
});

test('redacts the secrets of every field', () => {
  const config = createConfig(
    {
      urls: ['http://me:hunter2@a:1/?token=hunter2'],
      apiKey: 'hunter2',
      path: '/v1?key=hunter2&api_key=hunter2',
      headers: { 'X-Team': 'hunter2' },
      extraInputs: { nested: { api_token: 'hunter2' } },
    },
    'http://me:hunter2@a:1/metrics?token=hunter2',
  );
  expect(JSON.stringify(config)).not.toContain('hunter2');
});
