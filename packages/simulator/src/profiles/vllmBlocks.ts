import type { Engine } from '../engine/engine.ts';
import { getSeries, type LabelValues, type Registry } from '../metrics/registry.ts';
import { VLLM_RESIDENCY_BOUNDS } from './bucketBounds.ts';
import { toSeconds } from './profile.ts';

/**
 * Declares the families about the time that blocks stay in the KV cache. The real server exports them with
 * `--kv-cache-metrics`, for a sample of all blocks; here, for one block of each evicted prefix.
 */
export function declareBlocks(registry: Registry): (engine: Engine, labels: LabelValues) => void {
  const [lifetime, idle, gap] = [
    ['lifetime', 'Time from the allocation of a block to its eviction'],
    ['idle_before_evict', 'Time since the last use of a block at its eviction'],
    ['reuse_gap', 'Time between two uses of a block'],
  ].map(([name, help]) => registry.histogram(`vllm:kv_block_${name}_seconds`, help!, VLLM_RESIDENCY_BOUNDS));
  return (engine, labels) => {
    const series = getSeries({ lifetime: lifetime!, idle: idle!, gap: gap! }, labels);
    engine.observe({
      onEvicted: ({ lifetimeNs, idleNs, reuseGapsNs }) => {
        series.lifetime.observe(toSeconds(lifetimeNs));
        series.idle.observe(toSeconds(idleNs));
        for (const gapNs of reuseGapsNs) series.gap.observe(toSeconds(gapNs));
      },
    });
  };
}
