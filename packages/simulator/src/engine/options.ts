import { DEFAULT_COSTS, type StepCosts } from './stepCosts.ts';

/** Options of an engine. Defaults: {@link DEFAULT_ENGINE_OPTIONS}. */
export interface EngineOptions {
  readonly seed: number;
  /** Index of the engine; the value of the `engine` label in metrics. */
  readonly index: number;
  /** Maximum number of requests in the batch. */
  readonly maxRunning: number;
  /** Size of the key-value cache, in blocks. */
  readonly kvBlocks: number;
  /** Tokens per block. */
  readonly blockSize: number;
  /** Maximum number of tokens in one step; longer prompts are computed in chunks. */
  readonly maxBatchedTokens: number;
  /** Maximum length of a request (prompt and output), in tokens. */
  readonly maxModelLen: number;
  readonly prefixCaching: boolean;
  /** Speed-up factor of the steps, relative to `costs`. */
  readonly speed: number;
  readonly costs: StepCosts;
  /** Start time, in ns since the start of the simulation; above 0 after a restart of the server. */
  readonly startNs: number;
}

/** Options that approximate an engine on one large GPU. */
export const DEFAULT_ENGINE_OPTIONS: EngineOptions = {
  seed: 0,
  index: 0,
  maxRunning: 128,
  kvBlocks: 6000,
  blockSize: 16,
  maxBatchedTokens: 2048,
  maxModelLen: 8192,
  prefixCaching: true,
  speed: 1,
  costs: DEFAULT_COSTS,
  startNs: 0,
};

/** Returns the options. Throws RangeError if they are invalid. */
export function validateEngineOptions(options: EngineOptions): EngineOptions {
  for (const name of ['maxRunning', 'kvBlocks', 'blockSize', 'maxBatchedTokens', 'maxModelLen'] as const) {
    const value = options[name];
    if (!Number.isInteger(value) || value < 1) {
      throw new RangeError(`${name} is ${value}; expected an integer of at least 1`);
    }
  }
  if (!(options.speed > 0))
    throw new RangeError(`speed is ${options.speed}; expected a number greater than 0`);
  // A request that does not fit into the whole cache would be preempted forever.
  if (options.kvBlocks * options.blockSize < options.maxModelLen) {
    throw new RangeError(
      `a KV cache of ${options.kvBlocks} blocks of ${options.blockSize} tokens cannot hold one request with the context length of ${options.maxModelLen} tokens; use more blocks or a shorter context length`,
    );
  }
  return options;
}
