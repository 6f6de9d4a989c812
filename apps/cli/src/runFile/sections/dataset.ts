import type { Path } from '@org/terminal/userFile';
import { distribution } from '../distribution.ts';
import { type Field, getField, isMapping, type RunFileReader, readSection, type Section } from '../field.ts';
import { flagValue, missing, scalar, section, toggle } from '../fields.ts';
import { INPUT, OUTPUT, sequenceDistribution } from './lengths.ts';
import { AUDIO, IMAGES, RANKINGS, VIDEO } from './media.ts';

/** A key that `dataset` reads. */
const done: Field = () => {};

const CACHE_BUST: Field = section({ target: scalar('cache-bust', 'none') });

const PROMPTS: Section = {
  isl: done,
  osl: done,
  blockSize: scalar('isl-block-size'),
  batchSize: scalar('prompt-batch-size', 1),
  cacheBust: CACHE_BUST,
  corpus: scalar('prompt-corpus'),
  sequenceDistribution,
  randomRangeRatio: scalar('random-range-ratio'),
  randomCorpusStyle: scalar('random-corpus-style', 'vllm'),
};

/** Keys of all types of data sets. */
const COMMON: Section = {
  name: done,
  type: done,
  systemPrompt: scalar('system-prompt'),
  systemPromptFile: scalar('system-prompt-file'),
  entries: scalar('num-dataset-entries'),
  sampling: scalar('dataset-sampling-strategy', 'sequential'),
  randomSeed: missing('set randomSeed of the run'),
};

const SYNTHETIC: Section = {
  ...COMMON,
  prompts: section(PROMPTS),
  isl: done,
  osl: done,
  prefixPrompts: section({
    poolSize: scalar('prompt-prefix-pool-size'),
    length: scalar('prompt-prefix-length'),
    sharedSystemLength: scalar('shared-system-prompt-length'),
    userContextLength: scalar('user-context-prompt-length'),
  }),
  turns: distribution('conversation-turn-mean', 'conversation-turn-stddev'),
  turnDelay: distribution('conversation-turn-delay-mean', 'conversation-turn-delay-stddev'),
  turnDelayRatio: scalar('conversation-turn-delay-ratio', 1),
  images: section(IMAGES),
  audio: section(AUDIO),
  video: section(VIDEO),
  rankings: section(RANKINGS),
};

const SYNTHESIS: Section = {
  speedupRatio: scalar('synthesis-speedup-ratio', 1),
  prefixLenMultiplier: scalar('synthesis-prefix-len-multiplier', 1),
  prefixRootMultiplier: scalar('synthesis-prefix-root-multiplier', 1),
  promptLenMultiplier: scalar('synthesis-prompt-len-multiplier', 1),
  outputLenMultiplier: scalar('synthesis-output-len-multiplier', 1),
  maxIsl: scalar('synthesis-max-isl'),
  maxOsl: scalar('synthesis-max-osl'),
  allowDatasetWrap: toggle('allow-dataset-wrap'),
};

/** Keys of data sets from a file and of public data sets. */
const RECORDED: Section = {
  ...COMMON,
  synthesis: section(SYNTHESIS),
  interTurnDelayCapSeconds: scalar('inter-turn-delay-cap-seconds'),
  traceIdleGapCapSeconds: scalar('trace-idle-gap-cap-seconds'),
  ignoreTraceDelays: toggle('ignore-trace-delays'),
  useThinkTimeOnly: toggle('use-think-time-only'),
  maxContextLength: scalar('max-context-length'),
  cacheBust: CACHE_BUST,
  prompts: section({ corpus: scalar('prompt-corpus') }),
  osl: done,
};

const FILE: Section = {
  ...RECORDED,
  path: scalar('input-file'),
  records: done,
  format: scalar('custom-dataset-type'),
  traceSessionSampleRatio: scalar('trace-session-sample-ratio'),
  maxIdleGapCapSeconds: scalar('max-idle-gap-cap-seconds'),
  replaySpeedup: scalar('replay-speedup'),
  openLoopReplay: flagValue('open-loop-replay'),
  openLoopStrict: toggle('open-loop-strict'),
  omitKvHints: toggle('omit-kv-hints'),
  forceMinTokens: flagValue('force-min-tokens'),
  promptBatchSize: scalar('prompt-batch-size', 1),
  imageBatchSize: scalar('image-batch-size', 1),
  audioBatchSize: scalar('audio-batch-size', 1),
  videoBatchSize: scalar('video-batch-size', 1),
  blockSize: scalar('isl-block-size'),
};

const PUBLIC: Section = {
  ...RECORDED,
  dataset: scalar('public-dataset'),
  hfSubset: scalar('hf-subset'),
  filters: (value, path, reader) => {
    if (!isMapping(value)) return reader.report(path, 'has an unexpected type; expected names and values');
    for (const [name, item] of Object.entries(value)) reader.add('dataset-filter', `${name}=${item}`, path);
  },
  hfWekaDataset: scalar('hf-weka-dataset'),
};

/** The sections of data sets, by type. */
export const DATASET_TYPES: Readonly<Record<string, Section>> = {
  synthetic: SYNTHETIC,
  file: FILE,
  public: PUBLIC,
};

/** The section `dataset`. */
export const dataset: Field = (value, path, reader) => {
  const type = isMapping(value) ? String(getField(value, 'type')?.value ?? 'synthetic') : 'synthetic';
  if (!Object.hasOwn(DATASET_TYPES, type))
    return reader.report(
      [...path, 'type'],
      `is ${JSON.stringify(type)}; expected ${Object.keys(DATASET_TYPES).join(', ')}`,
    );
  readSection(value, path, DATASET_TYPES[type]!, reader);
  if (!isMapping(value)) return;
  readLength(INPUT, findLength(value, path, 'isl'), reader);
  readLength(OUTPUT, findLength(value, path, 'osl'), reader);
  const records = getField(value, 'records');
  if (records) readRecords(records.value, [...path, records.key], reader);
};

/** The section `datasets`: a list with one data set. */
export const datasets: Field = (value, path, reader) => {
  if (!Array.isArray(value)) return reader.report(path, 'has an unexpected type; expected a list');
  for (const [index, item] of value.entries())
    if (index === 0) dataset(item, [...path, index], reader);
    else reader.reportMissing([...path, index], 'use one data set for all phases');
};

/** A length of the file: its value and its path. */
interface Length {
  readonly value: unknown;
  readonly path: Path;
}

function readLength(field: Field, length: Length | undefined, reader: RunFileReader): void {
  if (length) field(length.value, length.path, reader);
}

/** Finds `isl` or `osl` of a data set: in `prompts`, or directly. */
function findLength(value: Readonly<Record<string, unknown>>, path: Path, name: string): Length | undefined {
  const prompts = getField(value, 'prompts');
  const inner = isMapping(prompts?.value) ? getField(prompts.value, name) : undefined;
  if (prompts && inner) return { value: inner.value, path: [...path, prompts.key, inner.key] };
  const outer = getField(value, name);
  return outer && { value: outer.value, path: [...path, outer.key] };
}

function readRecords(value: unknown, path: Path, reader: RunFileReader): void {
  if (!Array.isArray(value) || !value.every(isMapping)) {
    reader.reportMissing(path, 'use a list of requests');
    return;
  }
  reader.setRecords(
    value.map(record => JSON.stringify(record)),
    path,
  );
}
