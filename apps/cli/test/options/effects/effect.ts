import type { ObservedRun } from '../../support/observedRun.ts';
import type { RecordingServer } from '../../support/recordingServer.ts';

/** The effect of an option: what a run shows without and with it. */
export interface Effect {
  readonly observe: (run: ObservedRun) => unknown;
  readonly without: unknown;
  readonly with: unknown;
  /** Options of both runs, instead of those that the sample requires. */
  readonly requires?: string;
  /** The option and its value, instead of the sample. */
  readonly words?: string;
}

/** Effects by the names of options. */
export type Effects = Readonly<Record<string, Effect>>;

/** The server and the folder of a test of effects. */
export interface EffectsContext {
  readonly server: RecordingServer;
  /** Folder of the inputs and runs. */
  readonly cwd: string;
}
