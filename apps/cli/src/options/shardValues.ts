import { MAX_SHARDS, parseShard, type Shard, selectShare } from '@org/core';
import type { GpuTelemetryPlan } from '@org/gpu';
import { createOptionError, type RawOptions } from '@org/terminal/program';

/** Reads --shard. Throws `UsageError` if the value is invalid. */
export function readShard(raw: RawOptions): Shard | undefined {
  const { shard: value } = raw;
  if (value === undefined) return undefined;
  const shard = parseShard(String(value));
  if (shard) return shard;
  throw createOptionError(
    'shard',
    value,
    `I/N with I from 0 to N - 1 and N up to ${MAX_SHARDS}, such as 0/3 for the first of three shards`,
  );
}

/**
 * Returns the sources of GPU telemetry of a shard. Exporters are divided like endpoints; commands and the sources that are
 * tried by default belong to the first shard.
 */
export function divideGpuPlan(
  plan: GpuTelemetryPlan | undefined,
  shard: Shard,
): GpuTelemetryPlan | undefined {
  if (!plan) return undefined;
  const exporters = selectShare(plan.exporters, shard);
  if (shard.index === 0) return { ...plan, exporters };
  return exporters.length === 0 ? undefined : { ...plan, exporters, commands: [], probes: [], fallbacks: [] };
}
