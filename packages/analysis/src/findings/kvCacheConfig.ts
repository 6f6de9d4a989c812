import { formatBytes, formatCount, formatNumber } from '@org/core';
import type { KvCacheConfig } from '@org/servers';
import type { Run } from '../run/run.ts';
import { listMetricSeries } from '../servers/metricSeries.ts';
import type { Engine } from '../servers/servingSystem.ts';

type Labels = Readonly<Record<string, string>>;

/** Describes the size of an engine's KV cache, such as `2560 tokens (20 blocks of 128)`; undefined if unknown. */
export function describeKvCache(
  run: Run,
  engine: Pick<Engine, 'definition' | 'endpoint'>,
): string | undefined {
  const { kvCacheConfig: config } = engine.definition;
  const labels = config && readLabels(run, engine, config);
  if (!config || !labels) return undefined;
  const [blocks, blockTokens] = [Number(labels[config.blocks]), Number(labels[config.blockTokens])];
  const blockText = ` (${formatCount(blocks, 'block')} of ${blockTokens})`;
  const tokens = Number(labels[config.tokens] ?? blocks * blockTokens);
  if (!(tokens > 0)) return undefined;
  // The number of blocks can be that of all data-parallel ranks, or blocks can have different sizes.
  return `${formatNumber(tokens)} tokens${blocks * blockTokens === tokens ? blockText : ''}`;
}

/** Recommends how to enlarge the KV cache of a server, from its configuration; undefined if it is unknown. */
export function recommendKvCache(
  run: Run,
  engine: Pick<Engine, 'definition' | 'endpoint'> | undefined,
): string | undefined {
  const { kvCacheConfig: config, options } = engine?.definition ?? {};
  if (options?.memory === undefined) return undefined;
  const labels = config && readLabels(run, engine!, config);
  const readSetting = (label: keyof KvCacheConfig): string | undefined => {
    const value = labels?.[config![label]];
    return value === 'None' ? undefined : value;
  };
  const [blocks, bytes, memory] = [
    readSetting('fixedBlocks'),
    readSetting('memoryBytes'),
    readSetting('memory'),
  ];
  if (options.blocks !== undefined && blocks !== undefined)
    return `${options.blocks} limits the KV cache to ${formatCount(Number(blocks), 'block')}: omit or raise it, or send fewer or shorter requests.`;
  if (options.memoryBytes !== undefined && bytes !== undefined)
    return `The size of the KV cache is fixed to ${formatBytes(Number(bytes))}: raise ${options.memoryBytes}, or send fewer or shorter requests.`;
  return memory === undefined
    ? `Increase the memory for the KV cache (${options.memory}), or send fewer or shorter requests.`
    : `Raise ${options.memory} (now ${memory}), or send fewer or shorter requests.`;
}

function readLabels(
  run: Run,
  { endpoint }: Pick<Engine, 'endpoint'>,
  { metric }: KvCacheConfig,
): Labels | undefined {
  return listMetricSeries(run, metric).find(series => series.endpoint === endpoint)?.labels;
}
