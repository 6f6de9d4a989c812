import { AUDIO_DEPTHS, IMAGE_FORMATS, IMAGE_SAMPLINGS } from '@org/loadgen';
import { type OptionTable, option } from '@org/terminal/program';

/** Default means of rankings, as AIPerf sends them; its help names other ones. Lengths are in tokens. */
export const DEFAULT_RANKINGS = { passages: 10, passageTokens: 128, queryTokens: 32 } as const;
/** Default mean width and height of an image, in pixels, if only the other one is set. */
export const DEFAULT_IMAGE_PIXELS = 512;

/** Options for several inputs in a request, images, audio clips, and passages to rank. */
export const MEDIA_OPTIONS: OptionTable = {
  'prompt-batch-size': option(
    'N',
    'Number of texts in each request, such as inputs of an embeddings API; 0 sends none',
    {
      aliases: ['b', 'batch-size'],
      hiddenAliases: ['batch-size-text'],
      defaultText: '1',
    },
  ),
  'image-width-mean': option('PIXELS', 'Mean width of the images in each request, in pixels', {
    defaultText: `no images, or ${DEFAULT_IMAGE_PIXELS} with --image-height-mean`,
  }),
  'image-width-stddev': option('PIXELS', 'Standard deviation of the image width, in pixels', {
    defaultText: '0',
  }),
  'image-height-mean': option('PIXELS', 'Mean height of the images in each request, in pixels', {
    defaultText: `no images, or ${DEFAULT_IMAGE_PIXELS} with --image-width-mean`,
  }),
  'image-height-stddev': option('PIXELS', 'Standard deviation of the image height, in pixels', {
    defaultText: '0',
  }),
  'image-batch-size': option('N', 'Number of images in each request; 0 sends none', {
    hiddenAliases: ['batch-size-image'],
    defaultText: '1',
  }),
  'image-format': option('FORMAT', 'Format of the images; random draws one for each image', {
    choices: IMAGE_FORMATS,
    defaultText: 'jpeg',
  }),
  'image-source': option(
    'SOURCE',
    'Content of images: noise, or a folder with PNG and JPEG files, which are scaled',
    {
      defaultText: 'noise',
    },
  ),
  'image-source-sampling': option('STRATEGY', 'Order of the files in the folder of --image-source', {
    choices: IMAGE_SAMPLINGS,
    defaultText: 'random_with_replacement',
  }),
  'audio-length-mean': option('SECONDS', 'Mean duration of the audio clips in each request, in seconds', {
    defaultText: 'no audio clips',
  }),
  'audio-length-stddev': option('SECONDS', 'Standard deviation of the duration of audio clips, in seconds', {
    defaultText: '0',
  }),
  'audio-batch-size': option('N', 'Number of audio clips in each request; 0 sends none', {
    hiddenAliases: ['batch-size-audio'],
    defaultText: '1',
  }),
  'audio-depths': option(
    'BITS',
    `Sizes of a sample in bits; each clip has one of them at random: ${AUDIO_DEPTHS.join(', ')}`,
    { many: 'list', acceptsCommas: true, defaultText: '16' },
  ),
  'audio-sample-rates': option('KHZ', 'Sample rates in kHz; each clip has one of them at random', {
    many: 'list',
    acceptsCommas: true,
    defaultText: '16',
  }),
  'audio-num-channels': option('N', 'Number of channels of audio clips: 1 or 2', { defaultText: '1' }),
  'rankings-passages-mean': option('N', 'Mean number of passages to rank in each request', {
    defaultText: String(DEFAULT_RANKINGS.passages),
  }),
  'rankings-passages-stddev': option('N', 'Standard deviation of the number of passages', {
    defaultText: '0',
  }),
  'rankings-passages-prompt-token-mean': option('TOKENS', 'Mean length of a passage in tokens', {
    defaultText: String(DEFAULT_RANKINGS.passageTokens),
  }),
  'rankings-passages-prompt-token-stddev': option(
    'TOKENS',
    'Standard deviation of the length of a passage, in tokens',
    { defaultText: '0' },
  ),
  'rankings-query-prompt-token-mean': option('TOKENS', 'Mean length of a query in tokens', {
    defaultText: String(DEFAULT_RANKINGS.queryTokens),
  }),
  'rankings-query-prompt-token-stddev': option(
    'TOKENS',
    'Standard deviation of the length of a query, in tokens',
    { defaultText: '0' },
  ),
};
