import type { ValueDistribution } from '../input/valueDistribution.ts';

export const AUDIO_DEPTHS = [8, 16, 24, 32] as const;

/** Options of generated audio clips, which are noise in WAV format. */
export interface AudioOptions {
  readonly seconds: ValueDistribution;
  /** Number of clips in a turn. */
  readonly perTurn: number;
  /** Sizes of a sample in bits; one of them is drawn for each clip. */
  readonly depths: readonly number[];
  /** Sample rates in Hz; one of them is drawn for each clip. */
  readonly sampleRates: readonly number[];
  readonly channels: number;
}
