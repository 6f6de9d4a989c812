import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { profileCommand } from '../../src/commands/profile.ts';
import { DISCOVERY_SAMPLES } from '../support/discoverySamples.ts';
import { type ObservedRun, observeRun } from '../support/observedRun.ts';
import { PROFILE_SAMPLES, writeSampleFiles } from '../support/optionSamples.ts';
import { splitWords } from '../support/options.ts';
import { PUSH_SAMPLES } from '../support/pushSamples.ts';
import { startRecordingServer } from '../support/recordingServer.ts';
import { SEARCH_SAMPLES } from '../support/searchSamples.ts';
import { makeSuiteFolder } from '../support/temporaryFolder.ts';
import { CONVERGENCE_EFFECTS } from './effects/convergenceEffects.ts';
import type { Effect } from './effects/effect.ts';
import { listEndpointEffects } from './effects/endpointEffects.ts';
import { listExportEffects } from './effects/exportEffects.ts';
import { listInputEffects } from './effects/inputEffects.ts';
import { listLoadEffects } from './effects/loadEffects.ts';
import { MEDIA_EFFECTS } from './effects/mediaEffects.ts';
import { listPreparationEffects } from './effects/preparationEffects.ts';
import { listPromptEffects } from './effects/promptEffects.ts';
import { PROMPT_SHAPE_EFFECTS } from './effects/promptShapeEffects.ts';
import { REPLAY_EFFECTS } from './effects/replayEffects.ts';
import { listScheduleEffects } from './effects/scheduleEffects.ts';
import { listScrapeEffects } from './effects/scrapeEffects.ts';
import { SWEEP_EFFECTS } from './effects/sweepEffects.ts';
import { TRACE_EFFECTS, writeTraces } from './effects/traceEffects.ts';

const server = await startRecordingServer();
const cwd = makeSuiteFolder();
writeSampleFiles(cwd);
writeTraces(cwd);
writeFileSync(join(cwd, 'targets.yaml'), `targets:\n  - url: ${server.url}/configured/metrics\n`);
writeFileSync(join(cwd, 'blocks.jsonl'), '{"input_length":6,"hash_ids":[1]}\n'.repeat(2));
writeFileSync(join(cwd, 'mixed.jsonl'), '{"text":"first"}\n{"turns":["second","third"]}\n');

const EFFECTS: Readonly<Record<string, Effect>> = {
  ...listEndpointEffects(server.url),
  ...listScheduleEffects(server.url),
  ...listLoadEffects(server.url),
  ...CONVERGENCE_EFFECTS,
  ...listPreparationEffects(server.url),
  ...listPromptEffects(cwd),
  ...PROMPT_SHAPE_EFFECTS,
  ...listInputEffects(server.url, cwd),
  ...TRACE_EFFECTS,
  ...REPLAY_EFFECTS,
  ...MEDIA_EFFECTS,
  ...listExportEffects(server.url),
  ...SWEEP_EFFECTS,
  ...listScrapeEffects(server),
};

/** Options whose effect a short run does not show, and the tests that show it. */
const TESTED_ELSEWHERE: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Object.keys(SEARCH_SAMPLES).map(name => [name, '../profile/search/readSearch.test.ts']),
  ),
  ...Object.fromEntries(Object.keys(PUSH_SAMPLES).map(name => [name, 'push.test.ts'])),
  ...Object.fromEntries(Object.keys(DISCOVERY_SAMPLES).map(name => [name, 'discovery.test.ts'])),
  'memory-limit': '../memoryLimit.test.ts',
  // The effect requires a terminal.
  ui: 'display.test.ts',
  'plot-required': '../profile/autoPlot.test.ts',
  // The effect requires a Hugging Face cache.
  'tokenizer-revision': '../profile/tokenizerName.test.ts',
  web: 'web.test.ts',
  shard: '../profile/shardPlan.test.ts',
  'start-at': '../profile/startAt.test.ts',
};

test('every option of profile has an observed effect', () => {
  const declared = profileCommand.optionGroups.flatMap(({ options }) => Object.keys(options));
  expect([...Object.keys(EFFECTS), ...Object.keys(TESTED_ELSEWHERE)].toSorted()).toEqual(declared.toSorted());
  for (const [name, file] of Object.entries(TESTED_ELSEWHERE))
    expect(readFileSync(new URL(file, import.meta.url), 'utf8')).toContain(`--${name}`);
  expect(Object.keys(PROFILE_SAMPLES).toSorted()).toEqual(declared.toSorted());
});

/** Merges the options of several lines. A later line overrides an option of an earlier line. */
function mergeOptions(...lines: readonly string[]): string[] {
  const values = new Map<string, string[]>();
  for (const line of lines) {
    const inLine = new Map<string, string[]>();
    let name = '';
    for (const word of splitWords(line)) {
      if (word.startsWith('--')) name = word;
      inLine.set(name, [...(inLine.get(name) ?? []), word]);
    }
    for (const [option, words] of inLine) values.set(option, words);
  }
  return [...values.values()].flat();
}

const runs = new Map<string, Promise<ObservedRun>>();

/** Runs `servelens profile` once per set of options and attempt of a test. */
function run(attempt: number, ...lines: readonly string[]): Promise<ObservedRun> {
  const base = `--model m --url ${server.url} --isl 10 --random-seed 7`;
  const options = mergeOptions(base, ...lines);
  if (options.includes('--input-file') || options.includes('--public-dataset'))
    options.splice(options.indexOf('--isl'), 2);
  const key = `${attempt} ${options.join(' ')}`;
  const folder = join(cwd, `run-${runs.size}`);
  const words = options.includes('--artifact-dir') ? options : [...options, '--artifact-dir', folder];
  const observed = runs.get(key) ?? observeRun(['profile', ...words], cwd, folder, server);
  runs.set(key, observed);
  return observed;
}

for (const [name, effect] of Object.entries(EFFECTS))
  test(`--${name}`, async ({ task }) => {
    const attempt = task.result?.retryCount ?? 0;
    const sample = PROFILE_SAMPLES[name]!;
    const requires = effect.requires ?? sample.requires ?? '';
    expect(effect.observe(await run(attempt, requires))).toEqual(effect.without);
    expect(effect.observe(await run(attempt, requires, effect.words ?? sample.words))).toEqual(effect.with);
  });
