import type { GpuSample } from './sample.ts';

/** Receives samples as they arrive. */
export type SampleSink = (samples: readonly GpuSample[]) => void;

/** A source of samples: an exporter, or a command on this machine. */
export interface GpuSource {
  /** URL of the exporter, or the name of the local source. */
  readonly url: string;
  /** Number of GPUs that the source has described. */
  readonly gpuCount: number;
  /** Why the last attempt to read the source failed; undefined if it succeeded. */
  readonly failure: string | undefined;
  /** Number of restarts of a command, or of failed scrapes. */
  readonly interruptions: number;
  /** Starts periodic samples. */
  start(): void;
  /** Waits for a sample that is newer than this call, for up to `limitMs` milliseconds. */
  sample(limitMs: number): Promise<void>;
  close(): Promise<void>;
}
