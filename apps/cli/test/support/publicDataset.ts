import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
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
 * Writes a data set of the hub with two subsets to a cache of Hugging Face in a folder, whose files are links to the folder `blobs`.
 * Returns the cache.
 *
 * @param branch name of the branch in the cache
 */
export function writeHubDataset(folder: string, branch = 'main'): string {
  const hub = join(folder, 'hub');
  const dataset = join(hub, 'datasets--openai--gsm8k');
  const ref = join(dataset, 'refs', branch);
  mkdirSync(dirname(ref), { recursive: true });
  mkdirSync(join(dataset, 'blobs'));
  writeFileSync(ref, 'c0ffee');
  for (const subset of ['main', 'socratic']) {
    const questions = ['How many', 'How much', ''].map(start => start && `${start} is ${subset}?`);
    const lines = questions.map(question => `${JSON.stringify({ question, answer: '7' })}\n`);
    writeFileSync(join(dataset, 'blobs', subset), lines.join(''));
    mkdirSync(join(dataset, 'snapshots', 'c0ffee', subset), { recursive: true });
    const file = join(dataset, 'snapshots', 'c0ffee', subset, 'test.jsonl');
    symlinkSync(join('..', '..', '..', 'blobs', subset), file);
  }
  return hub;
}
