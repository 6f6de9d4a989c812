import { defaultCosts, type StepCosts } from './costs.ts';

/** What an engine can be told; see {@link defaultEngineOptions} for the defaults. */
export interface EngineOptions {
  readonly seed: number;
  /** Which of several engines this is; it is the `engine` label of the metrics. */
  readonly index: number;
  /** Most requests in the batch at a time. */
  readonly maxRunning: number;
  /** Size of the key-value cache in blocks, and tokens in a block. */
  readonly kvBlocks: number;
  readonly blockSize: number;
  /** Tokens in one step at most: longer prompts are computed in chunks. */
  readonly maxBatchedTokens: number;
  /** Longest request, prompt and output together, in tokens. */
  readonly maxModelLen: number;
  readonly prefixCaching: boolean;
  /** How many times faster than `costs` say the steps run. */
  readonly speed: number;
  readonly costs: StepCosts;
  /** The time at which it begins, in ns; a server that restarts begins later. */
  readonly startNs: number;
}

export const defaultEngineOptions: EngineOptions = {
  seed: 0,
  index: 0,
  maxRunning: 128,
  kvBlocks: 6000,
  blockSize: 16,
  maxBatchedTokens: 2048,
  maxModelLen: 8192,
  prefixCaching: true,
  speed: 1,
  costs: defaultCosts,
  startNs: 0,
};

/** Passes options on. Throws for those that no engine can have. */
export function checkedOptions(options: EngineOptions): EngineOptions {
  for (const name of ['maxRunning', 'kvBlocks', 'blockSize', 'maxBatchedTokens', 'maxModelLen'] as const) {
    const value = options[name];
    if (!Number.isInteger(value) || value < 1) {
      throw new RangeError(`${name} is ${value}; a whole number from 1 is accepted`);
    }
  }
  if (!(options.speed > 0)) throw new RangeError(`speed is ${options.speed}; a number above 0 is accepted`);
  // One request must fit alone, or it would be preempted for ever.
  if (options.kvBlocks * options.blockSize < options.maxModelLen) {
    throw new RangeError(
      `the cache of ${options.kvBlocks} x ${options.blockSize} tokens cannot hold one request of maxModelLen, ${options.maxModelLen}; raise kvBlocks or lower maxModelLen`,
    );
  }
  return options;
}
