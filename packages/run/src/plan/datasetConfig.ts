import type { PhaseOptions, TraceReplay, TraceSynthesis } from '@org/loadgen';
import { type ConfigFields as Fields, omitMissing, toDistribution } from './configFields.ts';
import { describeMedia } from './mediaConfig.ts';
import type { InputPlan, ProfilePlan } from './profilePlan.ts';

/** The name that AIPerf gives to the only data set of a run. */
const DATASET_NAME = 'main';

/** Returns the data set of a run in AIPerf's shape: the conversations of a file, or synthetic ones. */
export function toDataset({ inputs, profiling, seed }: ProfilePlan): Fields {
  const { file, datasetType, sampling, outputTokens, rows } = inputs;
  if (file === undefined) return toSyntheticDataset(inputs, profiling, seed);
  return {
    name: DATASET_NAME,
    ...(rows
      ? { type: 'public', dataset: rows.name, ...omitMissing({ hf_subset: rows.subset }) }
      : { type: 'file', path: file, ...omitMissing({ format: datasetType }) }),
    sampling,
    random_seed: seed,
    ...omitMissing({
      osl: toDistribution(outputTokens),
      system_prompt: inputs.systemPrompt,
      entries: datasetType === 'random_pool' ? inputs.entries : undefined,
      block_size: inputs.blockTokens,
      synthesis: toSynthesis(inputs.synthesis),
      inter_turn_delay_cap_seconds: inputs.delayCapSeconds,
      ...toReplay(inputs.replay),
      prompt_batch_size: inputs.batchSizes?.texts,
      image_batch_size: inputs.batchSizes?.images,
      audio_batch_size: inputs.batchSizes?.audios,
      cache_bust: toCacheBust(inputs),
      prompts: inputs.corpus && { corpus: inputs.corpus },
    }),
  };
}

function toSyntheticDataset(inputs: InputPlan, profiling: PhaseOptions, seed: number): Fields {
  const { inputTokens, outputTokens, turns, turnDelayMs, lengths } = inputs;
  return {
    name: DATASET_NAME,
    type: 'synthetic',
    // Without a limit, each session has another prompt.
    ...omitMissing({ entries: inputs.entries ?? profiling.sessionCount ?? profiling.requestCount }),
    ...(inputs.sampling === 'sequential' ? {} : { sampling: inputs.sampling }),
    random_seed: seed,
    prompts: omitMissing({
      isl: toDistribution(inputTokens),
      osl: toDistribution(outputTokens),
      batch_size: inputs.textsPerTurn,
      sequence_distribution: lengths?.map(({ input, output, percent }) => ({
        isl: input,
        osl: output,
        probability: percent,
      })),
      random_range_ratio: inputs.range?.ratio,
      random_corpus_style: inputs.range?.style,
      corpus: inputs.corpus,
      cache_bust: toCacheBust(inputs),
    }),
    ...omitMissing({
      turns: toDistribution(turns),
      turn_delay: toDistribution(turnDelayMs),
      turn_delay_ratio: inputs.turnDelayRatio,
      prefix_prompts: toPrefixPrompts(inputs),
      ...describeMedia(inputs),
      system_prompt: inputs.systemPrompt,
    }),
  };
}

/** Returns the changes of a trace in AIPerf's shape. */
function toSynthesis(synthesis: TraceSynthesis | undefined): Fields | undefined {
  if (synthesis === undefined) return undefined;
  return omitMissing({
    speedup_ratio: synthesis.speedup,
    prefix_len_multiplier: synthesis.prefixFactor,
    prefix_root_multiplier: synthesis.prefixCopies,
    prompt_len_multiplier: synthesis.promptFactor,
    output_len_multiplier: synthesis.outputFactor,
    max_isl: synthesis.maxInput,
    max_osl: synthesis.maxOutput,
  });
}

/** Returns the replay of a trace in AIPerf's shape. */
function toReplay(replay: TraceReplay | undefined): Fields {
  if (replay === undefined) return {};
  const { turns, maxIdleMs } = replay;
  return omitMissing({
    trace_session_sample_ratio: replay.sessionShare,
    replay_speedup: replay.speedup,
    max_idle_gap_cap_seconds: maxIdleMs === undefined ? undefined : maxIdleMs / 1000,
    open_loop_replay: turns === 'closed' ? false : undefined,
    open_loop_strict: turns === 'independent' ? true : undefined,
    omit_kv_hints: replay.omitsHints,
    force_min_tokens: replay.forcesLength,
  });
}

function toCacheBust({ cacheBust }: InputPlan): Fields | undefined {
  return cacheBust && { target: cacheBust };
}

function toPrefixPrompts({ sharedSystemTokens, userContextTokens, prefixes }: InputPlan): Fields | undefined {
  const fields = omitMissing({
    pool_size: prefixes?.size,
    length: prefixes?.tokens,
    shared_system_length: sharedSystemTokens,
    user_context_length: userContextTokens,
  });
  return Object.keys(fields).length === 0 ? undefined : fields;
}
