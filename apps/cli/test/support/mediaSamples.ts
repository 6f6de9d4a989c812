import type { OptionSamples } from './optionSamples.ts';

const IMAGES = '--image-width-mean 8 --image-height-mean 8';
const AUDIO = '--audio-length-mean 0.02';
const RANKINGS = '--endpoint-type hf_tei_rankings';

/** Options of `servelens profile` for batches, images, audio clips and passages. */
export const MEDIA_SAMPLES: OptionSamples = {
  'per-chunk-usage': {
    words: '--per-chunk-usage',
    requires: '--streaming --use-server-token-count',
  },
  'prompt-batch-size': { words: '--prompt-batch-size 3' },
  'image-width-mean': { words: '--image-width-mean 4' },
  'image-width-stddev': { words: '--image-width-stddev 3', requires: IMAGES },
  'image-height-mean': { words: '--image-height-mean 4' },
  'image-height-stddev': { words: '--image-height-stddev 3', requires: IMAGES },
  'image-batch-size': { words: '--image-batch-size 2', requires: IMAGES },
  'image-format': { words: '--image-format png', requires: IMAGES },
  'image-source': { words: '--image-source pictures', requires: IMAGES },
  'image-source-sampling': {
    words: '--image-source-sampling sequential_cycle',
    requires: `${IMAGES} --image-source pictures`,
  },
  'audio-length-mean': { words: AUDIO },
  'audio-length-stddev': { words: '--audio-length-stddev 0.01', requires: AUDIO },
  'audio-batch-size': { words: '--audio-batch-size 2', requires: AUDIO },
  'audio-depths': { words: '--audio-depths 24', requires: AUDIO },
  'audio-sample-rates': { words: '--audio-sample-rates 8', requires: AUDIO },
  'audio-num-channels': { words: '--audio-num-channels 2', requires: AUDIO },
  'rankings-passages-mean': { words: '--rankings-passages-mean 3', requires: RANKINGS },
  'rankings-passages-stddev': {
    words: '--rankings-passages-stddev 3',
    requires: `${RANKINGS} --rankings-passages-mean 9`,
  },
  'rankings-passages-prompt-token-mean': {
    words: '--rankings-passages-prompt-token-mean 4',
    requires: RANKINGS,
  },
  'rankings-passages-prompt-token-stddev': {
    words: '--rankings-passages-prompt-token-stddev 3',
    requires: `${RANKINGS} --rankings-passages-prompt-token-mean 9`,
  },
  'rankings-query-prompt-token-mean': { words: '--rankings-query-prompt-token-mean 4', requires: RANKINGS },
  'rankings-query-prompt-token-stddev': {
    words: '--rankings-query-prompt-token-stddev 3',
    requires: `${RANKINGS} --rankings-query-prompt-token-mean 9`,
  },
};
