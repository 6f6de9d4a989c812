import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { OptionSamples } from './optionSamples.ts';

/** A trace that pyarrow has written: a conversation of two turns, at 0 and 900 ms, and two others, at 300 and 2500 ms. */
export const BASETEN_TRACE: string = fileURLToPath(
  new URL('../../../../packages/loadgen/test/files/baseten.parquet', import.meta.url),
);

/** Writes `trace.parquet`. */
export function writeReplaySample(folder: string): void {
  copyFileSync(BASETEN_TRACE, join(folder, 'trace.parquet'));
}

/** Options for the replay of a baseten_trace. */
export const REPLAY_SAMPLES: OptionSamples = {
  'trace-session-sample-ratio': {
    words: '--trace-session-sample-ratio 0.001',
    requires: '--input-file trace.parquet',
  },
  'replay-speedup': { words: '--replay-speedup 4', requires: '--input-file trace.parquet' },
  'max-idle-gap-cap-seconds': {
    words: '--max-idle-gap-cap-seconds 0.5',
    requires: '--input-file trace.parquet',
  },
  'open-loop-replay': { words: '--open-loop-replay', requires: '--input-file trace.parquet' },
  'no-open-loop-replay': { words: '--no-open-loop-replay', requires: '--input-file trace.parquet' },
  'open-loop-strict': { words: '--open-loop-strict', requires: '--input-file trace.parquet' },
  'omit-kv-hints': { words: '--omit-kv-hints', requires: '--input-file trace.parquet' },
  'force-min-tokens': { words: '--force-min-tokens', requires: '--input-file trace.parquet' },
  'no-force-min-tokens': { words: '--no-force-min-tokens', requires: '--input-file trace.parquet' },
};
