import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Writes a data set of ShareGPT with one conversation to the place where AIPerf stores it. */
export function writePublicDataset(folder: string): void {
  const store = join(folder, '.cache', 'aiperf', 'datasets');
  mkdirSync(store, { recursive: true });
  const conversations = [
    { from: 'human', value: 'Which questions are in the data set?' },
    { from: 'gpt', value: 'Those that people have shared with others.' },
  ];
  writeFileSync(
    join(store, 'ShareGPT_V3_unfiltered_cleaned_split.json'),
    JSON.stringify([{ conversations }]),
  );
}

/**
 * Writes a data set of the hub with two subsets to a cache of Hugging Face in a folder. Returns the cache.
 *
 * @param branch name of the branch in the cache
 */
export function writeHubDataset(folder: string, branch = 'main'): string {
  const hub = join(folder, 'hub');
  const dataset = join(hub, 'datasets--openai--gsm8k');
  const ref = join(dataset, 'refs', branch);
  mkdirSync(dirname(ref), { recursive: true });
  writeFileSync(ref, 'c0ffee');
  for (const subset of ['main', 'socratic']) {
    const path = join(dataset, 'snapshots', 'c0ffee', subset, 'test.jsonl');
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${JSON.stringify({ question: `How many are ${subset}?`, answer: '7' })}\n`);
  }
  return hub;
}
