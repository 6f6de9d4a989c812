import { join } from 'node:path';
import { StoreMemory } from '@org/core';
import { BlockFile, type BlockFileOptions } from '@org/scrape';

/** The memory of all stores of a run, extended by a file in its folder. */
export interface RunMemory {
  readonly memory: StoreMemory;
  /** Removes the file. Stores that use this memory must not be read afterwards. */
  close(): void;
}

/** Opens the memory of a run. Samples beyond `limit` bytes are kept in a file, which is created when it is first needed. */
export function openRunMemory(folder: string, limit: number, options: BlockFileOptions = {}): RunMemory {
  const file = new BlockFile(join(folder, `.server_metrics.${process.pid}.history`), options);
  return { memory: new StoreMemory(limit, file), close: () => file.close() };
}
