/**
 * What it costs to journal a run so that it can be recovered: bytes and time per sample, and the time to read it back.
 * Usage: node benchmarks/dist/journal.js [--seconds 600] [--engines 3] [--folder FOLDER]
 *
 * A simulated vLLM at 0.6 of what it can sustain is scraped every 333 ms, and the other servers for a tenth of that time. A
 * sample is one value of one scrape. Times are of the processor, with those by the wall beside them; the disk is the one of the
 * folder. Bytes are those of the file with everything in it.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { argv } from 'node:process';
import { type Frame, Layout } from '@org/core';
import { type JournalFiles, JournalWriter, replayJournal } from '@org/scrape';
import { ExpositionReader } from '@org/scrape/exposition';
import { serverKinds, simulateTrace } from '@org/simulator';
import yargs from 'yargs';
import { hideBin } from 'yargs/helpers';
import { INTERVAL_MS } from './store/trace.ts';
import { CpuClock } from './store/usage.ts';

const TARGET_BYTES_PER_SAMPLE = 3;

const options = yargs(hideBin(argv))
  .option('seconds', { type: 'number', default: 600, describe: 'How long the vLLM is scraped, at 3 Hz' })
  .option('engines', { type: 'number', default: 3, describe: 'Engines of the vLLM, each some 330 samples' })
  .option('folder', { type: 'string', default: tmpdir(), describe: 'On the disk that is to be written to' })
  .strict()
  .parseSync();

interface Recording {
  readonly layout: Layout;
  readonly frames: readonly Frame[];
  readonly samples: number;
}

const folder = mkdtempSync(join(options.folder, 'servelens-journal-'));
try {
  const { seconds, engines } = options;
  const vllm = recorded('vllm', seconds, engines);
  await benchmark(`vllm, ${engines} engines`, vllm);
  await idle(vllm);
  for (const kind of serverKinds) await sizes(kind, recorded(kind, seconds / 10, 1));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function recorded(kind: (typeof serverKinds)[number], durationS: number, engines: number): Recording {
  const layout = new Layout();
  const reader = new ExpositionReader(layout);
  const trace = simulateTrace({
    kind,
    engines,
    durationS,
    seed: 7,
    load: 'steady',
    intervalMs: INTERVAL_MS,
  });
  const frames = Array.from(trace, ({ timestampNs, body }, index) => {
    const { values, changed } = reader.read(Buffer.from(body), 'classic');
    // A latency differs every time, by some of its digits.
    const latencyNs = 1_800_000 + ((index * 7919) % 400_000);
    return { timestampNs, latencyNs, changed, values: values.slice() };
  });
  return { layout, frames, samples: frames.reduce((sum, { values }) => sum + values.length, 0) };
}

async function benchmark(name: string, recording: Recording): Promise<void> {
  const { frames, layout, samples } = recording;
  const path = join(folder, 'busy.journal');
  for (let round = 0; round < 3; round++) await journaled(path, recording, nowhere()); // until the code is compiled
  const encoding = await journaled(path, recording, nowhere());
  const writing = await journaled(path, recording);
  print(name, 'size', {
    frames: frames.length,
    samples_per_frame: layout.slotCount,
    bytes_per_sample: rounded(writing.bytes / samples, 3),
    bytes_per_frame: rounded(writing.bytes / frames.length),
    target_bytes_per_sample: TARGET_BYTES_PER_SAMPLE,
  });
  print(name, 'encoding', times(encoding.clock, samples, frames.length));
  print(name, 'appending', times(writing.clock, samples, frames.length));
  const replaying = new CpuClock();
  const replay = replaying.measure(() => replayJournal(path));
  const stored = replay.endpoints[0]?.store.frameCount;
  if (stored !== frames.length || !replay.complete)
    throw new Error(`BUG: ${stored} of ${frames.length} frames came back from the journal`);
  print(name, 'replaying', times(replaying, samples, frames.length));
  rmSync(path);
}

/** A server that does nothing: all bodies are the same. */
async function idle({ layout, frames }: Recording): Promise<void> {
  const { values } = frames.at(-1)!;
  const same = frames.map(frame => ({ ...frame, changed: false, values }));
  const path = join(folder, 'idle.journal');
  const first = await journaled(path, { layout, frames: same.slice(0, 1), samples: 0 }, nowhere());
  const all = await journaled(path, { layout, frames: same, samples: 0 }, nowhere());
  const bytes = (all.bytes - first.bytes) / (same.length - 1);
  print('idle', 'size', {
    bytes_per_unchanged_frame: rounded(bytes, 1),
    samples_per_frame: layout.slotCount,
  });
}

async function sizes(kind: string, recording: Recording): Promise<void> {
  const { layout, frames, samples } = recording;
  const path = join(folder, `${kind}.journal`);
  const first = await journaled(path, { ...recording, frames: frames.slice(0, 1) }, nowhere());
  const all = await journaled(path, recording, nowhere());
  print(kind, 'size', {
    frames: frames.length,
    samples_per_frame: layout.slotCount,
    bytes_per_sample: rounded((all.bytes - first.bytes) / (samples - frames[0]!.values.length), 3),
    first_frame_and_series_bytes: first.bytes,
    target_bytes_per_sample: TARGET_BYTES_PER_SAMPLE,
  });
}

async function journaled(
  path: string,
  { layout, frames }: Recording,
  files?: JournalFiles,
): Promise<{ bytes: number; clock: CpuClock }> {
  const clock = new CpuClock();
  const journal = JournalWriter.open(path, { benchmark: 'journal' }, files ? { files } : {});
  journal.endpoint(0, { url: 'http://localhost:8000/metrics', configuredUrl: 'localhost:8000' });
  clock.measure(() => {
    for (const frame of frames) journal.append(0, layout, frame);
  });
  journal.end();
  await journal.close();
  if (journal.missedFrames > 0) throw new Error(`BUG: ${journal.missedFrames} frames were not journaled`);
  return { bytes: journal.byteLength, clock };
}

/** A disk that takes everything and costs nothing. */
function nowhere(): JournalFiles {
  const done = async (): Promise<void> => {};
  return {
    create: () => 0,
    write: (_file, _bytes, start, end) => end - start,
    truncate: () => {},
    sync: done,
    syncFolder: done,
    close: done,
    remove: () => {},
  };
}

function times({ cpuS, wallS }: CpuClock, samples: number, frames: number): object {
  return {
    ns_per_sample: rounded((cpuS * 1e9) / samples, 1),
    wall_ns_per_sample: rounded((wallS * 1e9) / samples, 1),
    us_per_frame: rounded((cpuS * 1e6) / frames, 1),
  };
}

function print(name: string, what: string, row: object): void {
  console.log(JSON.stringify({ bench: 'journal', case: name, figure: what, ...row }));
}

function rounded(value: number, digits = 0): number {
  return Number(value.toFixed(digits));
}
