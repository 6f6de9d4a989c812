import { ENDPOINTS, type EndpointName } from '@org/loadgen';
import type { InputPlan } from '@org/run';
import type { RawOptions } from '@org/terminal/program';
import type { IneffectiveOptions } from '../options/ineffective.ts';
import { MEDIA_OPTIONS } from '../options/media.ts';
import { formatInputSource } from './inputSource.ts';

const NAMES = Object.keys(MEDIA_OPTIONS);
const IMAGES = NAMES.filter(name => name.startsWith('image-'));
const AUDIOS = NAMES.filter(name => name.startsWith('audio-'));
const RANKINGS = NAMES.filter(name => name.startsWith('rankings-'));

/** Lists the options for images, audio clips, passages and batches that have no effect in a combination. */
export function listMediaRules(raw: RawOptions, { file, datasetType }: InputPlan): IneffectiveOptions[] {
  const endpoint = raw['endpoint-type'] as EndpointName;
  const { media = [], ranksPassages = false } = ENDPOINTS[endpoint];
  const withEndpoint = `with --endpoint-type ${endpoint}`;
  const isSet = (name: string): boolean => raw[name] !== undefined;
  // A batch size of 0 disables images or audio clips even without a size.
  const isEmpty = (name: string): boolean => name.endsWith('-batch-size') && Number(raw[name]) === 0;
  const isPool = datasetType === 'random_pool';
  const isUsed = (name: string): boolean => isPool && name.endsWith('-batch-size');
  return [
    {
      options: [...IMAGES, ...AUDIOS].filter(name => !isUsed(name)),
      when: file !== undefined,
      reason: `with ${formatInputSource(raw)}, which determines the contents of requests`,
    },
    { options: IMAGES, when: !media.includes('images'), reason: withEndpoint },
    { options: AUDIOS, when: !media.includes('audios'), reason: withEndpoint },
    { options: RANKINGS, when: !ranksPassages, reason: withEndpoint },
    { options: ['prompt-batch-size'], when: ranksPassages, reason: withEndpoint },
    {
      options: IMAGES.filter(name => !isEmpty(name) && !isUsed(name)),
      when: !isSet('image-width-mean') && !isSet('image-height-mean'),
      reason: 'without --image-width-mean or --image-height-mean',
    },
    {
      options: AUDIOS.filter(name => !isEmpty(name) && !isUsed(name)),
      when: !isSet('audio-length-mean'),
      reason: 'without --audio-length-mean',
    },
  ];
}

/** Returns the options without those of images and audio clips that requests cannot have. */
export function dropUnsentMedia(raw: RawOptions, endpoint: EndpointName): RawOptions {
  const { media = [] } = ENDPOINTS[endpoint];
  const canSend = (kind: 'images' | 'audios'): boolean =>
    raw['input-file'] === undefined && media.includes(kind);
  const unsent = [...(canSend('images') ? [] : IMAGES), ...(canSend('audios') ? [] : AUDIOS)];
  return Object.fromEntries(Object.entries(raw).filter(([name]) => !unsent.includes(name)));
}
