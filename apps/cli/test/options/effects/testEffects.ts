import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { type ObservedRun, observeRun } from '../../support/observedRun.ts';
import { PROFILE_SAMPLES, writeSampleFiles } from '../../support/optionSamples.ts';
import { splitWords } from '../../support/options.ts';
import { startRecordingServer } from '../../support/recordingServer.ts';
import { makeSuiteFolder } from '../../support/temporaryFolder.ts';
import type { Effects, EffectsContext } from './effect.ts';
import { writeTraces } from './traceEffects.ts';

/** Tests that runs with and without each of the options differ as expected, against a server of this test file. */
export async function testEffects(listEffects: (context: EffectsContext) => Effects): Promise<void> {
  const context = await startEffects();
  const runner = new Runner(context);
  for (const [name, effect] of Object.entries(listEffects(context)))
    test(`--${name}`, async ({ task }) => {
      const attempt = task.result?.retryCount ?? 0;
      const sample = PROFILE_SAMPLES[name]!;
      const requires = effect.requires ?? sample.requires ?? '';
      expect(effect.observe(await runner.run(attempt, requires))).toEqual(effect.without);
      expect(effect.observe(await runner.run(attempt, requires, effect.words ?? sample.words))).toEqual(
        effect.with,
      );
    });
}

/** Starts a server, and writes the inputs that options name. Both end with the test file. */
export async function startEffects(): Promise<EffectsContext> {
  const [server, cwd] = [await startRecordingServer(), makeSuiteFolder()];
  writeSampleFiles(cwd);
  writeTraces(cwd);
  vi.stubEnv('HF_HUB_CACHE', join(cwd, 'hub'));
  afterAll(() => void vi.unstubAllEnvs());
  writeFileSync(join(cwd, 'targets.yaml'), `targets:\n  - url: ${server.url}/configured/metrics\n`);
  writeFileSync(join(cwd, 'blocks.jsonl'), '{"input_length":6,"hash_ids":[1]}\n'.repeat(2));
  writeFileSync(join(cwd, 'mixed.jsonl'), '{"text":"first"}\n{"turns":["second","third"]}\n');
  return { server, cwd };
}

/** Runs `servelens profile` once per set of options and attempt of a test. */
class Runner {
  readonly #context: EffectsContext;
  readonly #runs = new Map<string, Promise<ObservedRun>>();

  constructor(context: EffectsContext) {
    this.#context = context;
  }

  run(attempt: number, ...lines: readonly string[]): Promise<ObservedRun> {
    const { server, cwd } = this.#context;
    const base = `--model m --url ${server.url} --isl 10 --random-seed 7`;
    const options = mergeOptions(base, ...lines);
    if (options.includes('--input-file') || options.includes('--public-dataset'))
      options.splice(options.indexOf('--isl'), 2);
    const key = `${attempt} ${options.join(' ')}`;
    const folder = join(cwd, `run-${this.#runs.size}`);
    const words = options.includes('--artifact-dir') ? options : [...options, '--artifact-dir', folder];
    const observed = this.#runs.get(key) ?? observeRun(['profile', ...words], cwd, folder, server);
    this.#runs.set(key, observed);
    return observed;
  }
}

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
