import { type Frame, Layout } from '@org/core';
import { type Replay, replayJournal } from '../../../src/journal/replay.ts';
import type { JournalStateChange } from '../../../src/journal/stateChange.ts';
import { JournalWriter } from '../../../src/journal/writer.ts';
import { MemoryFiles } from './memoryFiles.ts';

/** Delay of fsync after a write, in milliseconds. */
export const FSYNC_MS = 100;

/** A journal writer with a simulated disk and clock. */
export class JournalFixture {
  readonly files = new MemoryFiles();
  readonly stateChanges: JournalStateChange[] = [];
  readonly layouts: Layout[] = [];
  readonly journal: JournalWriter;
  nowMs = 0;

  constructor(prepare: (files: MemoryFiles) => void = () => {}) {
    prepare(this.files);
    this.journal = JournalWriter.open(
      '/run/journal',
      { run: 1n },
      {
        files: this.files,
        fsyncDelayMs: FSYNC_MS,
        onStateChange: change => this.stateChanges.push(change),
        clock: { monotonicMs: () => this.nowMs },
      },
    );
  }

  addEndpoint(index = this.layouts.length): Layout {
    this.journal.addEndpoint(index, { url: `u${index}`, configuredUrl: `c${index}` });
    this.layouts[index] ??= new Layout();
    return this.layouts[index]!;
  }

  /** Appends a frame with one gauge. Returns whether the frame was written. */
  appendGauge(value: number, index = 0): boolean {
    const layout = this.layouts[index] ?? this.addEndpoint(index);
    layout.scalar({ name: 'g', type: 'gauge', help: '' }, []);
    return this.journal.append(index, layout, makeFrame(value));
  }

  /** The states that the journal has reported. */
  get states(): string[] {
    return this.stateChanges.map(({ state }) => state);
  }

  /** Reads the journal back. */
  replay(): Replay {
    return replayJournal(this.files.bytes);
  }
}

/** Creates a frame whose timestamp equals its first value. */
export function makeFrame(...values: number[]): Frame {
  return {
    timestampNs: BigInt(values[0] ?? 0),
    latencyNs: 1,
    changed: true,
    values: Float64Array.from(values),
  };
}

/** Returns the values in the first slot of an endpoint. */
export function readGauge(replay: Replay, index = 0): number[] {
  return [...(replay.endpoints[index]?.store.column(0) ?? [])];
}
