import { isSelected } from '../gpuFilter.ts';
import type { Gpu } from '../sample.ts';
import { type GpuMapEntry, isServerOf } from './gpuMap.ts';
import { isLocalHost } from './localHost.ts';

/** A GPU and the source of its samples. */
export interface LocatedGpu {
  readonly gpu: Gpu;
  /** URL of the exporter, or the name of a local source such as `pynvml://localhost`. */
  readonly source: string;
}

/** The GPUs of each server, by the URL of its metrics endpoint. */
export interface GpuAssignment<Located extends LocatedGpu> {
  readonly byServer: ReadonlyMap<string, readonly Located[]>;
  /** Why GPUs belong to no server, as sentences. */
  readonly notes: readonly string[];
}

/** The name of this machine, by whatever name or address it is called. */
const LOCAL_HOST = 'localhost';

/**
 * Assigns GPUs to servers: by the map of the user, and otherwise by host. A host has several servers or GPUs of unknown use
 * more often than not, so a GPU belongs to a server by its host only if no other server runs there.
 */
export function assignGpus<Located extends LocatedGpu>(
  gpus: readonly Located[],
  servers: readonly string[],
  map: readonly GpuMapEntry[],
): GpuAssignment<Located> {
  return map.length > 0 ? assignByMap(gpus, servers, map) : assignByHost(gpus, servers);
}

function assignByMap<Located extends LocatedGpu>(
  gpus: readonly Located[],
  servers: readonly string[],
  map: readonly GpuMapEntry[],
): GpuAssignment<Located> {
  const byServer = new Map<string, Located[]>();
  const notes: string[] = [];
  const used = new Set<Located>();
  for (const entry of map) {
    const url = servers.find(server => isServerOf(entry, server));
    const found = gpus.filter(({ gpu }) => isSelected(gpu, entry.gpus));
    const free = found.filter(located => !used.has(located));
    if (url === undefined) notes.push(`The server ${entry.server} of --gpu-map counted no output tokens.`);
    else if (found.length === 0) notes.push(`No GPU matches ${entry.gpus.join(',')} of ${entry.server}.`);
    else if (free.length < found.length)
      notes.push(`Several servers of --gpu-map have the same GPU, so their energy is unknown.`);
    else byServer.set(url, [...(byServer.get(url) ?? []), ...found]);
    for (const located of found) used.add(located);
  }
  const isAmbiguous = notes.some(note => note.startsWith('Several servers'));
  return { byServer: isAmbiguous ? new Map() : byServer, notes: [...new Set(notes)] };
}

function assignByHost<Located extends LocatedGpu>(
  gpus: readonly Located[],
  servers: readonly string[],
): GpuAssignment<Located> {
  const byServer = new Map<string, Located[]>();
  const notes = new Set<string>();
  const serversByHost = groupBy(servers, url => normalizeHost(new URL(url).hostname));
  const hosts = findSourceHosts(gpus);
  for (const located of gpus) {
    const names = [located.gpu.hostname, hosts.get(located.source)].filter(name => name !== undefined);
    const host = names.map(normalizeHost).find(name => serversByHost.has(name));
    const found = host === undefined ? [] : serversByHost.get(host)!;
    const [server] = found;
    if (server === undefined)
      notes.add(
        `No server runs on the host of the GPUs of ${located.source}, as far as its name shows; --gpu-map assigns them.`,
      );
    else if (found.length > 1)
      notes.add(
        `${found.length} servers run on ${host}, and it is unknown which GPUs each of them uses; --gpu-map assigns them.`,
      );
    else byServer.set(server, [...(byServer.get(server) ?? []), located]);
  }
  return { byServer, notes: [...notes] };
}

/** Returns the host of each source whose GPUs are all on one host. An exporter can also collect GPUs of other hosts. */
function findSourceHosts(gpus: readonly LocatedGpu[]): ReadonlyMap<string, string> {
  const bySource = groupBy(gpus, ({ source }) => source);
  return new Map(
    [...bySource].flatMap(([source, located]) => {
      const hostnames = new Set(located.map(({ gpu }) => gpu.hostname));
      return hostnames.size === 1 && URL.canParse(source) ? [[source, new URL(source).hostname]] : [];
    }),
  );
}

function groupBy<Item, Key>(items: readonly Item[], getKey: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) groups.set(getKey(item), [...(groups.get(getKey(item)) ?? []), item]);
  return groups;
}

function normalizeHost(host: string): string {
  return isLocalHost(host) ? LOCAL_HOST : host.toLowerCase();
}
