import type { AudioOptions, ImageOptions, RankingOptions } from '@org/loadgen';
import { type ConfigFields, omitMissing, toDistribution } from './configFields.ts';
import type { InputPlan } from './profilePlan.ts';

/** Returns images, audio clips and passages in AIPerf's shape. */
export function describeMedia({ images, audios, rankings }: InputPlan): ConfigFields {
  return omitMissing({
    images: images && toImages(images),
    audio: audios && toAudio(audios),
    rankings: rankings && toRankings(rankings),
  });
}

function toImages({ perTurn, width, height, format, folder, sampling }: ImageOptions): ConfigFields {
  return {
    batch_size: perTurn,
    width: toDistribution(width),
    height: toDistribution(height),
    format,
    source: folder ?? 'noise',
    source_sampling: sampling,
  };
}

function toAudio({ perTurn, seconds, depths, sampleRates, channels }: AudioOptions): ConfigFields {
  return {
    batch_size: perTurn,
    length: toDistribution(seconds),
    format: 'wav',
    depths,
    sample_rates: sampleRates.map(rate => rate / 1000),
    channels,
  };
}

function toRankings({ passages, passageTokens, queryTokens }: RankingOptions): ConfigFields {
  return {
    passages: toDistribution(passages),
    passage_tokens: toDistribution(passageTokens),
    query_tokens: toDistribution(queryTokens),
  };
}
