import { distribution } from '../distribution.ts';
import type { Section } from '../field.ts';
import { list, scalar, section } from '../fields.ts';

/** The section `images` of a data set. */
export const IMAGES: Section = {
  batchSize: scalar('image-batch-size'),
  width: distribution('image-width-mean', 'image-width-stddev'),
  height: distribution('image-height-mean', 'image-height-stddev'),
  format: scalar('image-format'),
  source: scalar('image-source'),
  sourceSampling: scalar('image-source-sampling'),
};

/** The section `audio` of a data set. */
export const AUDIO: Section = {
  batchSize: scalar('audio-batch-size'),
  length: distribution('audio-length-mean', 'audio-length-stddev'),
  format: scalar('audio-format'),
  sampleRates: list('audio-sample-rates'),
  depths: list('audio-depths'),
  channels: scalar('audio-num-channels'),
};

/** The section `video` of a data set. */
export const VIDEO: Section = {
  batchSize: scalar('video-batch-size'),
  duration: scalar('video-duration'),
  fps: scalar('video-fps'),
  width: scalar('video-width'),
  height: scalar('video-height'),
  format: scalar('video-format'),
  codec: scalar('video-codec'),
  synthType: scalar('video-synth-type'),
  audio: section({
    sampleRate: scalar('video-audio-sample-rate'),
    channels: scalar('video-audio-num-channels'),
    codec: scalar('video-audio-codec'),
    depth: scalar('video-audio-depth'),
  }),
};

/** The section `rankings` of a data set. */
export const RANKINGS: Section = {
  passages: distribution('rankings-passages-mean', 'rankings-passages-stddev'),
  passageTokens: distribution('rankings-passages-prompt-token-mean', 'rankings-passages-prompt-token-stddev'),
  queryTokens: distribution('rankings-query-prompt-token-mean', 'rankings-query-prompt-token-stddev'),
};
