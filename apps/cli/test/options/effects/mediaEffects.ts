import type { ObservedRun } from '../../support/observedRun.ts';
import type { Effect } from './effect.ts';

type Part = Readonly<Record<string, { readonly url: string; readonly data: string }>>;

const countUnique = (values: readonly unknown[]): number => new Set(values).size;
/** Returns the parts of a kind in the messages of each request. */
const listParts = ({ requests }: ObservedRun, type: string): Part[][] =>
  requests.map(({ body }) => {
    const { content } = body.messages[0];
    return Array.isArray(content) ? content.filter(part => part.type === type) : [];
  });
const listImages = (run: ObservedRun): string[] =>
  listParts(run, 'image_url').map(([image]) => image!.image_url!.url);
const decode = (base64: string): Buffer => Buffer.from(base64, 'base64');
/** Reads the size of each image, which is a PNG file. */
const listSizes = (run: ObservedRun, offset: 16 | 20): number[] =>
  listImages(run).map(url => decode(url.split(',')[1]!).readUInt32BE(offset));
/** Returns the audio clip of each request, which is a WAV file. */
const listClips = (run: ObservedRun): Buffer[] =>
  listParts(run, 'input_audio').map(parts => decode(parts[0]!.input_audio!.data));
const countWords = (text: string): number => text.split(' ').length;
const PNG = '--image-format png --image-width-mean 20 --image-height-mean 20';
const PICTURES = '--image-width-mean 2 --image-height-mean 2 --image-source pictures --random-seed 1';
const RANKINGS = '--endpoint-type hf_tei_rankings';

/** The effects of options for batches, images, audio clips and passages. */
export const MEDIA_EFFECTS: Readonly<Record<string, Effect>> = {
  'per-chunk-usage': {
    observe: ({ requests }) => requests[0]!.body.stream_options.continuous_usage_stats,
    without: undefined,
    with: true,
  },
  'prompt-batch-size': { observe: run => listParts(run, 'text')[0]!.length, without: 0, with: 3 },
  'image-width-mean': { observe: run => listParts(run, 'image_url')[0]!.length, without: 0, with: 1 },
  'image-width-stddev': {
    requires: PNG,
    observe: run => countUnique(listSizes(run, 16)) > 1,
    without: false,
    with: true,
  },
  'image-height-mean': { observe: run => listParts(run, 'image_url')[0]!.length, without: 0, with: 1 },
  'image-height-stddev': {
    requires: PNG,
    observe: run => countUnique(listSizes(run, 20)) > 1,
    without: false,
    with: true,
  },
  'image-batch-size': { observe: run => listParts(run, 'image_url')[0]!.length, without: 1, with: 2 },
  'image-format': {
    observe: run => listImages(run)[0]!.slice(0, 15),
    without: 'data:image/jpeg',
    with: 'data:image/png;',
  },
  'image-source': { observe: run => countUnique(listImages(run)), without: 10, with: 2 },
  'image-source-sampling': {
    requires: PICTURES,
    observe: run => listImages(run).every((image, index, all) => image === all[index % 2]),
    without: false,
    with: true,
  },
  'audio-length-mean': { observe: run => listParts(run, 'input_audio')[0]!.length, without: 0, with: 1 },
  'audio-length-stddev': {
    observe: run => countUnique(listClips(run).map(({ length }) => length)) > 1,
    without: false,
    with: true,
  },
  'audio-batch-size': { observe: run => listParts(run, 'input_audio')[0]!.length, without: 1, with: 2 },
  'audio-depths': { observe: run => listClips(run)[0]!.readUInt16LE(34), without: 16, with: 24 },
  'audio-sample-rates': { observe: run => listClips(run)[0]!.readUInt32LE(24), without: 16_000, with: 8000 },
  'audio-num-channels': { observe: run => listClips(run)[0]!.readUInt16LE(22), without: 1, with: 2 },
  'rankings-passages-mean': {
    observe: ({ requests }) => requests[0]!.body.texts.length,
    without: 10,
    with: 3,
  },
  'rankings-passages-stddev': {
    observe: ({ requests }) => countUnique(requests.map(({ body }) => body.texts.length)) > 1,
    without: false,
    with: true,
  },
  'rankings-passages-prompt-token-mean': {
    observe: ({ requests }) => countWords(requests[0]!.body.texts[0]),
    without: 128,
    with: 4,
  },
  'rankings-passages-prompt-token-stddev': {
    requires: `${RANKINGS} --rankings-passages-prompt-token-mean 9`,
    observe: ({ requests }) => countUnique(requests.map(({ body }) => countWords(body.texts[0]))) > 1,
    without: false,
    with: true,
  },
  'rankings-query-prompt-token-mean': {
    observe: ({ requests }) => countWords(requests[0]!.body.query),
    without: 32,
    with: 4,
  },
  'rankings-query-prompt-token-stddev': {
    observe: ({ requests }) => countUnique(requests.map(({ body }) => countWords(body.query))) > 1,
    without: false,
    with: true,
  },
};
