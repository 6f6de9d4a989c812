import { type JournalFileSystem, JournalWriter } from '@org/scrape';
import { CpuClock } from '../measure/cpuClock.ts';
import type { Recording } from './recording.ts';

/** Writes a journal of a recording, and measures the time to append. Throws if frames could not be journaled. */
export async function writeJournal(
  path: string,
  { layout, frames }: Recording,
  files?: JournalFileSystem,
): Promise<{ bytes: number; clock: CpuClock }> {
  const clock = new CpuClock();
  const journal = JournalWriter.open(path, { benchmark: 'journal' }, files ? { files } : {});
  journal.addEndpoint(0, { url: 'http://localhost:8000/metrics', configuredUrl: 'localhost:8000' });
  clock.measure(() => {
    for (const frame of frames) journal.append(0, layout, frame);
  });
  journal.end();
  await journal.close();
  if (journal.missedFrames > 0) throw new Error(`BUG: ${journal.missedFrames} frames were not journaled`);
  return { bytes: journal.byteLength, clock };
}

/** Creates a file system that discards all writes, to measure encoding without disk writes. */
export function createNullFiles(): JournalFileSystem {
  const doNothing = async (): Promise<void> => {};
  return {
    create: () => 0,
    write: (_file, _bytes, start, end) => end - start,
    truncate: () => {},
    sync: doNothing,
    syncFolder: doNothing,
    close: doNothing,
    remove: () => {},
  };
}
