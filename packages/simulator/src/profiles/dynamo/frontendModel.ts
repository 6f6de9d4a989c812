import type { Registry } from '../../metrics/registry.ts';
import type { ProfileContext } from '../profile.ts';

/** Declares the gauges that describe the served model. They exist before the first request. */
export function declareModel(registry: Registry, { engines, model }: ProfileContext): void {
  const { maxModelLen, blockSize, kvBlocks, maxRunning, maxBatchedTokens } = engines[0]!.options;
  const settings = [
    ['context_length', 'Context length in tokens', maxModelLen],
    ['kv_cache_block_size', 'Tokens per cache block', blockSize],
    ['total_kv_blocks', 'Cache blocks per worker', kvBlocks],
    ['max_num_seqs', 'Maximum number of requests per batch', maxRunning],
    ['max_num_batched_tokens', 'Maximum number of tokens per step', maxBatchedTokens],
    ['migration_limit', 'Maximum number of migrations per request', 0],
    ['ready', '1 while at least one worker serves the model', 1],
  ] as const;
  for (const [name, help, value] of settings) {
    registry.gauge(`dynamo_frontend_model_${name}`, help).labels({ model }).set(value);
  }
}
