import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { describeSystemError } from '@org/core';
import {
  AUDIO_DEPTHS,
  type AudioOptions,
  type DatasetType,
  ENDPOINTS,
  type EndpointName,
  hasText,
  type ImageFormat,
  type ImageOptions,
  type ImageSampling,
  type RankingOptions,
  type ValueDistribution,
} from '@org/loadgen';
import type { InputPlan } from '@org/run';
import { UsageError } from '@org/terminal';
import {
  createOptionError,
  omitUndefined,
  type RawOptions,
  readList,
  readNumber,
  readText,
} from '@org/terminal/program';
import { DEFAULT_IMAGE_PIXELS, DEFAULT_RANKINGS, MEDIA_OPTIONS } from '../options/media.ts';
import { type DistributionRange, readDistribution } from './distributions.ts';
import { dropUnsentMedia } from './ineffectiveMediaOptions.ts';
import { formatInputSource } from './inputSource.ts';

/** Maximum number of texts, images, audio clips or passages in a request. */
const MAX_CONTENTS = 10_000;
/** Maximum mean width and height of an image, in pixels. */
const MAX_PIXELS = 16_384;
/** Maximum mean duration of an audio clip, in seconds. */
const MAX_SECONDS = 3600;
/** Maximum length of a query or a passage, in tokens. */
const MAX_TOKENS = 1e7;

/** The part of an input plan that describes several inputs in a request, images, audio clips and passages. */
export type MediaPlan = Pick<InputPlan, 'textsPerTurn' | 'batchSizes' | 'rankings' | 'images' | 'audios'>;

/** Reads the options of `MEDIA_OPTIONS`. Throws `UsageError` if they are invalid, or if a file determines the contents. */
export function readMediaPlan(given: RawOptions, cwd: string, type: DatasetType | undefined): MediaPlan {
  const endpoint = given['endpoint-type'] as EndpointName;
  const raw = dropUnsentMedia(given, endpoint);
  const { ranksPassages = false } = ENDPOINTS[endpoint];
  if (type === 'random_pool') {
    const { 'prompt-batch-size': _, ...others } = raw;
    rejectSyntheticContents(others);
    return ranksPassages ? {} : readBatchSizes(given);
  }
  rejectSyntheticContents(raw);
  const textsPerTurn = readBatchSize(raw, 'prompt');
  const plan = omitUndefined({
    textsPerTurn: ranksPassages ? undefined : textsPerTurn,
    rankings: ranksPassages ? readRankings(raw) : undefined,
    images: readImages(raw, cwd),
    audios: readAudios(raw),
  });
  rejectMissingContents(raw, endpoint, plan);
  rejectMissingFolder(raw);
  return plan;
}

/** Reads the numbers of texts, images and audio clips to draw for each request. Returns an empty object without batch sizes. */
function readBatchSizes(raw: RawOptions): Pick<InputPlan, 'batchSizes'> {
  const batchSizes = omitUndefined({
    texts: readBatchSize(raw, 'prompt'),
    images: readBatchSize(raw, 'image'),
    audios: readBatchSize(raw, 'audio'),
  });
  return Object.keys(batchSizes).length === 0 ? {} : { batchSizes };
}

function readBatchSize(raw: RawOptions, kind: 'prompt' | 'image' | 'audio'): number | undefined {
  return readNumber(raw, `${kind}-batch-size`, { min: 0, max: MAX_CONTENTS, isInteger: true });
}

/** Throws `UsageError` if an option determines the contents of requests that a file determines. */
function rejectSyntheticContents(raw: RawOptions): void {
  if (raw['input-file'] === undefined) return;
  const option = Object.keys(MEDIA_OPTIONS).find(name => raw[name] !== undefined);
  if (option !== undefined)
    throw new UsageError(
      `cannot use --${option} with ${formatInputSource(raw)}, only with synthetic prompts`,
    );
}

/** Throws `UsageError` if requests must have contents that no option describes. */
function rejectMissingContents(raw: RawOptions, endpoint: EndpointName, plan: MediaPlan): void {
  const { requiredMedia } = ENDPOINTS[endpoint];
  if (requiredMedia === undefined || plan[requiredMedia] !== undefined || raw['input-file'] !== undefined)
    return;
  const option = requiredMedia === 'images' ? '--image-width-mean PIXELS' : '--audio-length-mean SECONDS';
  throw new UsageError(`--endpoint-type ${endpoint} requires ${option}, or --input-file FILE`);
}

/** Throws `UsageError` if generated requests would have neither text nor other contents. */
export function rejectEmptyRequests(raw: RawOptions, plan: InputPlan): void {
  if (plan.file !== undefined || hasText(plan) || plan.images || plan.audios || plan.rankings) return;
  const option = plan.textsPerTurn === 0 ? '--prompt-batch-size' : '--synthetic-input-tokens-mean';
  const endpoint = raw['endpoint-type'] as EndpointName;
  const { media = [] } = ENDPOINTS[endpoint];
  const sources = [
    ...(media.includes('images') ? ['images (--image-width-mean)'] : []),
    ...(media.includes('audios') ? ['audio clips (--audio-length-mean)'] : []),
  ];
  throw new UsageError(
    sources.length === 0
      ? `cannot use ${option} 0 with --endpoint-type ${endpoint}, whose requests consist of text`
      : `${option} 0 requires ${sources.join(' or ')}`,
  );
}

/** Throws `UsageError` if images are selected from a folder that is not set. */
function rejectMissingFolder(raw: RawOptions): void {
  if (raw['image-source-sampling'] !== undefined && (raw['image-source'] ?? 'noise') === 'noise')
    throw new UsageError('--image-source-sampling requires a folder, set with --image-source');
}

function readImages(raw: RawOptions, cwd: string): ImageOptions | undefined {
  const range = { min: 0, max: MAX_PIXELS };
  const width = readDistribution(raw, 'image-width', range);
  const height = readDistribution(raw, 'image-height', range);
  const perTurn = readBatchSize(raw, 'image') ?? 1;
  const source = readText(raw, 'image-source', 'noise, or a folder') ?? 'noise';
  const isDisabled = [width, height].some(size => size?.mean === 0) || perTurn === 0;
  if (isDisabled || (width === undefined && height === undefined)) return undefined;
  const folder = source === 'noise' ? undefined : findImageFolder(source, cwd);
  return {
    width: width ?? { mean: DEFAULT_IMAGE_PIXELS },
    height: height ?? { mean: DEFAULT_IMAGE_PIXELS },
    perTurn,
    format: (raw['image-format'] as ImageFormat | undefined) ?? 'jpeg',
    ...(folder === undefined ? {} : { folder }),
    sampling: (raw['image-source-sampling'] as ImageSampling | undefined) ?? 'random_with_replacement',
  };
}

/** Returns the folder of --image-source. Throws `UsageError` if it is not a folder. */
function findImageFolder(source: string, cwd: string): string {
  if (source === 'assets')
    throw new UsageError(
      'invalid --image-source "assets": the images of AIPerf are not available; expected noise or a folder',
    );
  const folder = resolve(cwd, source);
  try {
    if (statSync(folder).isDirectory()) return folder;
  } catch (error) {
    throw new UsageError(`invalid --image-source ${JSON.stringify(source)}: ${describeSystemError(error)}`);
  }
  throw createOptionError('image-source', source, 'noise, or a folder with PNG and JPEG files');
}

function readAudios(raw: RawOptions): AudioOptions | undefined {
  const seconds = readDistribution(raw, 'audio-length', { min: 0, max: MAX_SECONDS });
  const perTurn = readBatchSize(raw, 'audio') ?? 1;
  const depths = readNumbers(raw, 'audio-depths', '8, 16, 24 or 32', depth =>
    (AUDIO_DEPTHS as readonly number[]).includes(depth),
  );
  const sampleRates = readNumbers(
    raw,
    'audio-sample-rates',
    'a number of kHz from 1 to 384',
    rate => rate >= 1 && rate <= 384,
  );
  const channels = readNumber(raw, 'audio-num-channels', { min: 1, max: 2, isInteger: true }) ?? 1;
  if (seconds === undefined || seconds.mean === 0 || perTurn === 0) return undefined;
  return {
    seconds,
    perTurn,
    depths: depths ?? [16],
    sampleRates: (sampleRates ?? [16]).map(rate => Math.round(rate * 1000)),
    channels,
  };
}

function readNumbers(
  raw: RawOptions,
  name: string,
  expected: string,
  isValid: (value: number) => boolean,
): readonly number[] | undefined {
  const texts = readList(raw, name);
  const invalid = texts.find(text => text.trim() === '' || !isValid(Number(text)));
  if (invalid !== undefined) throw createOptionError(name, invalid, expected);
  return texts.length === 0 ? undefined : texts.map(Number);
}

function readRankings(raw: RawOptions): RankingOptions {
  const read = (name: string, defaultMean: number, range: DistributionRange): ValueDistribution =>
    readDistribution(raw, name, { ...range, defaultMean })!;
  const { passages, passageTokens, queryTokens } = DEFAULT_RANKINGS;
  return {
    passages: read('rankings-passages', passages, { max: MAX_CONTENTS }),
    passageTokens: read('rankings-passages-prompt-token', passageTokens, { max: MAX_TOKENS }),
    queryTokens: read('rankings-query-prompt-token', queryTokens, { max: MAX_TOKENS }),
  };
}
