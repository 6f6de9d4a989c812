import type { ValueDistribution } from '../input/valueDistribution.ts';

export const IMAGE_FORMATS = ['png', 'jpeg', 'random'] as const;
/** The format of generated images; `random` draws one for each image. */
export type ImageFormat = (typeof IMAGE_FORMATS)[number];

export const IMAGE_SAMPLINGS = ['random_with_replacement', 'shuffle_cycle', 'sequential_cycle'] as const;
/**
 * The order of the images of a folder: drawn independently, in a new random order in each pass, or in the order of their
 * names.
 */
export type ImageSampling = (typeof IMAGE_SAMPLINGS)[number];

/** Options of generated images. */
export interface ImageOptions {
  /** Size in pixels. */
  readonly width: ValueDistribution;
  readonly height: ValueDistribution;
  /** Number of images in a turn. */
  readonly perTurn: number;
  readonly format: ImageFormat;
  /** Folder with PNG and JPEG files, which are scaled; without it, images are noise. */
  readonly folder?: string;
  readonly sampling: ImageSampling;
}
