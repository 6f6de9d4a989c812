import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { SearchHistory } from '@org/formats';
import { readSearchHistory } from '@org/formats/read';
import { openInput } from '../run/input.ts';

const SEARCH_FILE = 'search_history.json';

/**
 * Reads the probes of a search from the folder of its runs. Returns undefined if the folder has none.
 *
 * @throws FormatError if the file is invalid
 */
export async function readSearch(folder: string): Promise<SearchHistory | undefined> {
  const names: readonly string[] = await readdir(folder).catch(() => []);
  if (!names.includes(SEARCH_FILE)) return undefined;
  return await readSearchHistory(await openInput(join(folder, SEARCH_FILE)));
}
