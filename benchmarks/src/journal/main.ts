/**
 * Measures the journal: bytes and time per sample, and the time to replay it.
 *
 * A simulated vLLM server at 60% of its capacity is scraped every 333 ms. In addition, one engine of every kind
 * of server is scraped for a tenth of the duration; the bytes per sample of these journals exclude the first
 * frame and the definitions of the series. A sample is one value of one scrape. Times are CPU times, with
 * elapsed times for comparison.
 *
 * Usage: npm run bench -- journal [--seconds 600] [--engines 3] [--folder FOLDER]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { argv } from 'node:process';
import { replayJournal } from '@org/scrape';
import { SERVER_KINDS } from '@org/simulator';
import yargs from 'yargs';
import { hideBin } from 'yargs/helpers';
import { CpuClock } from '../measure/cpuClock.ts';
import { round } from '../measure/numbers.ts';
import { createNullFiles, writeJournal } from './journaling.ts';
import { type Recording, recordTrace } from './recording.ts';

const TARGET_BYTES_PER_SAMPLE = 3;

const options = yargs(hideBin(argv))
  .option('seconds', {
    type: 'number',
    default: 600,
    describe: 'Duration of the vLLM trace in seconds, scraped at 3 Hz',
  })
  .option('engines', {
    type: 'number',
    default: 3,
    describe: 'Number of vLLM engines, about 330 samples per scrape each',
  })
  .option('folder', {
    type: 'string',
    default: tmpdir(),
    describe: 'Folder for the journals, on the disk to measure',
  })
  .strict()
  .parseSync();

const folder = mkdtempSync(join(options.folder, 'servelens-journal-'));
try {
  const { seconds, engines } = options;
  const vllm = recordTrace('vllm', seconds, engines);
  await measureBusy(`vllm, ${engines} engines`, vllm);
  await measureIdle(vllm);
  for (const kind of SERVER_KINDS) await measureSize(kind, recordTrace(kind, seconds / 10, 1));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function measureBusy(name: string, recording: Recording): Promise<void> {
  const { frames, layout, samples } = recording;
  const path = join(folder, 'busy.journal');
  for (let round = 0; round < 3; round++) await writeJournal(path, recording, createNullFiles()); // warm-up
  const encoding = await writeJournal(path, recording, createNullFiles());
  const writing = await writeJournal(path, recording);
  print(name, 'size', {
    frames: frames.length,
    samples_per_frame: layout.slotCount,
    bytes_per_sample: round(writing.bytes / samples, 3),
    bytes_per_frame: round(writing.bytes / frames.length),
    target_bytes_per_sample: TARGET_BYTES_PER_SAMPLE,
  });
  print(name, 'encoding', toTimes(encoding.clock, samples, frames.length));
  print(name, 'appending', toTimes(writing.clock, samples, frames.length));
  const replaying = new CpuClock();
  const replay = replaying.measure(() => replayJournal(path));
  const stored = replay.endpoints[0]?.store.frameCount;
  if (stored !== frames.length || !replay.complete)
    throw new Error(`BUG: ${stored} of ${frames.length} frames were read back from the journal`);
  print(name, 'replaying', toTimes(replaying, samples, frames.length));
  rmSync(path);
}

/** Measures the size of the journal of an idle server, whose bodies are all equal. */
async function measureIdle({ layout, frames }: Recording): Promise<void> {
  const { values } = frames.at(-1)!;
  const unchanged = frames.map(frame => ({ ...frame, changed: false, values }));
  const path = join(folder, 'idle.journal');
  const firstFrame = await writeJournal(
    path,
    { layout, frames: unchanged.slice(0, 1), samples: 0 },
    createNullFiles(),
  );
  const complete = await writeJournal(path, { layout, frames: unchanged, samples: 0 }, createNullFiles());
  const bytes = (complete.bytes - firstFrame.bytes) / (unchanged.length - 1);
  print('idle', 'size', {
    bytes_per_unchanged_frame: round(bytes, 1),
    samples_per_frame: layout.slotCount,
  });
}

async function measureSize(kind: string, recording: Recording): Promise<void> {
  const { layout, frames, samples } = recording;
  const path = join(folder, `${kind}.journal`);
  const firstFrame = await writeJournal(
    path,
    { ...recording, frames: frames.slice(0, 1) },
    createNullFiles(),
  );
  const complete = await writeJournal(path, recording, createNullFiles());
  print(kind, 'size', {
    frames: frames.length,
    samples_per_frame: layout.slotCount,
    bytes_per_sample: round((complete.bytes - firstFrame.bytes) / (samples - frames[0]!.values.length), 3),
    first_frame_and_series_bytes: firstFrame.bytes,
    target_bytes_per_sample: TARGET_BYTES_PER_SAMPLE,
  });
}

function toTimes({ cpuS, wallS }: CpuClock, samples: number, frames: number): object {
  return {
    ns_per_sample: round((cpuS * 1e9) / samples, 1),
    wall_ns_per_sample: round((wallS * 1e9) / samples, 1),
    us_per_frame: round((cpuS * 1e6) / frames, 1),
  };
}

function print(name: string, figure: string, row: object): void {
  console.log(JSON.stringify({ bench: 'journal', case: name, figure, ...row }));
}
