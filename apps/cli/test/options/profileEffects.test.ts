import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { profileCommand } from '../../src/commands/profile.ts';
import { DISCOVERY_SAMPLES } from '../support/discoverySamples.ts';
import { PROFILE_SAMPLES } from '../support/optionSamples.ts';
import { PUSH_SAMPLES } from '../support/pushSamples.ts';
import { SEARCH_SAMPLES } from '../support/searchSamples.ts';
import { listEffectsOnInputs, listEffectsOnLoad, listEffectsOnRuns } from './effects/listEffects.ts';
import { startEffects } from './effects/testEffects.ts';

/** Options whose effect a short run does not show, and the tests that show it. */
const TESTED_ELSEWHERE: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Object.keys(SEARCH_SAMPLES).map(name => [name, '../profile/search/readSearch.test.ts']),
  ),
  ...Object.fromEntries(Object.keys(PUSH_SAMPLES).map(name => [name, 'push.test.ts'])),
  ...Object.fromEntries(Object.keys(DISCOVERY_SAMPLES).map(name => [name, 'discovery.test.ts'])),
  'memory-limit': '../memoryLimit.test.ts',
  json: '../result/runReport.test.ts',
  // The effect requires a terminal.
  ui: 'display.test.ts',
  'plot-required': '../profile/autoPlot.test.ts',
  // The effect requires a Hugging Face cache.
  'tokenizer-revision': '../profile/tokenizerName.test.ts',
  web: 'web.test.ts',
  shard: '../profile/shardPlan.test.ts',
  'start-at': '../profile/startAt.test.ts',
};

test('every option of profile has an observed effect', async () => {
  const declared = profileCommand.optionGroups.flatMap(({ options }) => Object.keys(options));
  const context = await startEffects();
  const effects = [listEffectsOnLoad, listEffectsOnInputs, listEffectsOnRuns].flatMap(list =>
    Object.keys(list(context)),
  );
  expect([...effects, ...Object.keys(TESTED_ELSEWHERE)].toSorted()).toEqual(declared.toSorted());
  for (const [name, file] of Object.entries(TESTED_ELSEWHERE))
    expect(readFileSync(new URL(file, import.meta.url), 'utf8')).toContain(`--${name}`);
  expect(Object.keys(PROFILE_SAMPLES).toSorted()).toEqual(declared.toSorted());
});
