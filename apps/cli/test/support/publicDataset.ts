import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

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
