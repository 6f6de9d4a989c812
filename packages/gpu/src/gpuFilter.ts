import type { Gpu } from './sample.ts';

/** Minimum length of the start of a UUID that identifies a GPU. */
const MIN_UUID_CHARACTERS = 4;

/**
 * Reports whether a list selects a GPU; an empty list selects all. An item is an index such as `0`, a host and an index such
 * as `node1/0`, or a UUID or its start such as `GPU-8f6c`.
 */
export function isSelected(gpu: Gpu, items: readonly string[]): boolean {
  return items.length === 0 || items.some(item => matches(gpu, item));
}

function matches({ index, uuid, hostname }: Gpu, item: string): boolean {
  if (/^\d+$/.test(item)) return Number(item) === index;
  const [, host, number] = /^(.+)\/(\d+)$/.exec(item) ?? [];
  if (host !== undefined) return host === hostname && Number(number) === index;
  return item.length >= MIN_UUID_CHARACTERS && uuid.toLowerCase().startsWith(item.toLowerCase());
}

/** Reports whether a text is a valid item of such a list. */
export function isGpuItem(item: string): boolean {
  return /^\d+$/.test(item) || /^[^/\s]+\/\d+$/.test(item) || /^[\w-]{4,}$/.test(item);
}
