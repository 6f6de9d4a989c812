import { readFile, stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { ExpositionFormat } from '@org/scrape/exposition';

const decompress = promisify(gunzip);

/** Maximum size of a page after decompression, in bytes. */
const MAX_PAGE_BYTES = 256 * 1024 ** 2;
/** Number of bytes that are searched for a header. */
const HEADER_BYTES = 1024;

/** The contents of a metrics page. */
export interface PageContent {
  readonly body: Buffer;
  readonly format: ExpositionFormat;
  /** The time in a header comment, in Unix milliseconds; undefined if there is none. */
  readonly headerMs: number | undefined;
  /** The endpoint in a header comment; undefined if there is none. */
  readonly endpoint: string | undefined;
  /** Time of the last change of the file, in Unix milliseconds. */
  readonly modifiedMs: number;
}

/** Reads a page, which may be compressed with gzip. Throws an error if it cannot be read or is too large. */
export async function readPage(path: string): Promise<PageContent> {
  const [{ mtimeMs, size }, raw] = await Promise.all([stat(path), readFile(path)]);
  if (size > MAX_PAGE_BYTES) throw new Error(`has ${size} bytes; the maximum is ${MAX_PAGE_BYTES}`);
  const isCompressed = raw[0] === 0x1f && raw[1] === 0x8b;
  const body = isCompressed ? await decompress(raw, { maxOutputLength: MAX_PAGE_BYTES }) : raw;
  const header = body.toString('utf8', 0, HEADER_BYTES);
  return {
    body,
    format: /\n# EOF\n?$/.test(body.toString('latin1', Math.max(0, body.length - 8)))
      ? 'openmetrics'
      : 'classic',
    headerMs: parseHeaderTime(header),
    endpoint: /^# Pod: *(\S+) *$/m.exec(header)?.[1],
    modifiedMs: mtimeMs,
  };
}

/** Parses a comment such as `# Timestamp: 2026-11-21T08:15:30+00:00`, which llm-d-benchmark writes. */
function parseHeaderTime(header: string): number | undefined {
  const [, text] = /^# Timestamp: *(\S+) *$/m.exec(header) ?? [];
  if (text === undefined) return undefined;
  const ms = /^\d{10}(?:\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text);
  return Number.isNaN(ms) ? undefined : ms;
}
