import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SearchHistory } from '@org/formats';
import { runServelensProfile } from '../measure/servelensRun.ts';

/** The result of a search. */
export interface SearchResult {
  readonly history: SearchHistory;
  /** Mean number of prompt tokens of a request, as counted by the server. */
  readonly promptTokens: number;
  /** Duration of the whole search, in seconds. */
  readonly seconds: number;
}

/** Runs a search of `servelens profile` with these options. */
export async function runSearch(args: readonly string[]): Promise<SearchResult> {
  const folder = mkdtempSync(join(tmpdir(), 'servelens-search-'));
  try {
    const startMs = performance.now();
    await runServelensProfile([...args, '--artifact-dir', folder]);
    const seconds = (performance.now() - startMs) / 1000;
    const history: SearchHistory = JSON.parse(readFileSync(join(folder, 'search_history.json'), 'utf8'));
    const run = join(folder, history.iterations[0]!.run!);
    const document = JSON.parse(readFileSync(join(run, 'profile_export_aiperf.json'), 'utf8'));
    return { history, promptTokens: Math.round(document.usage_prompt_tokens.avg), seconds };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
