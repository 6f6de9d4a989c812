import { isGpuItem } from '../gpuFilter.ts';

/** The GPUs that a server uses, as the user states them. */
export interface GpuMapEntry {
  /** Host and port of the server, such as `node1:8000`. */
  readonly server: string;
  /** GPUs as in `isSelected`. */
  readonly gpus: readonly string[];
}

/** Parses an entry such as `node1:8000=0,1` or `http://node1:8000=GPU-8f6c`; undefined if it is invalid. */
export function parseGpuMapEntry(text: string): GpuMapEntry | undefined {
  const at = text.lastIndexOf('=');
  const server = readHost(text.slice(0, Math.max(0, at)));
  const gpus = text
    .slice(at + 1)
    .split(',')
    .map(item => item.trim());
  return server === undefined || !gpus.every(isGpuItem) ? undefined : { server, gpus };
}

/** Formats an entry so that it can be parsed again. */
export function formatGpuMapEntry({ server, gpus }: GpuMapEntry): string {
  return `${server}=${gpus.join(',')}`;
}

/** Reports whether a URL belongs to the server of an entry. */
export function isServerOf({ server }: GpuMapEntry, url: string): boolean {
  return readHost(url) === server;
}

/** Returns the host and port of a URL, which may lack its scheme; undefined if it is invalid. */
function readHost(text: string): string | undefined {
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  if (!URL.canParse(url)) return undefined;
  const { host } = new URL(url);
  return host === '' ? undefined : host.toLowerCase();
}
