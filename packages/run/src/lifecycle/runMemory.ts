import { join } from 'node:path';
import { StoreMemory } from '@org/core';
import { BlockFile, type BlockFileOptions } from '@org/scrape';

/** The memory of a run, and the file in its folder for what does not fit. */
export interface RunMemory {
  readonly memory: StoreMemory;
  /** Gives the file back; stores of this memory must not be read any more. */
  close(): void;
}

export function runMemory(folder: string, limit: number, options: BlockFileOptions = {}): RunMemory {
  const file = new BlockFile(join(folder, `.server_metrics.${process.pid}.history`), options);
  return { memory: new StoreMemory(limit, file), close: () => file.close() };
}
