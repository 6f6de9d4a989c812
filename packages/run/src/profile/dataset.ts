import { closeSync, openSync, readSync } from 'node:fs';
import type { DatasetType } from '../plan/profilePlan.ts';

/** The properties of an input file that its first line determines. */
export interface Dataset {
  readonly type: DatasetType;
  /** True if the first line has a timestamp. */
  readonly hasTimestamps: boolean;
}

/** Maximum number of bytes to read for the first line. */
const MAX_HEAD_BYTES = 1 << 20;

/**
 * Detects the format of an input file: the lines of a trace have lengths instead of prompts. Throws the system
 * error of `node:fs` if the file cannot be read.
 */
export function detectDataset(file: string): Dataset {
  const line = readFirstLine(file);
  return {
    type: detectType(line),
    hasTimestamps: hasTimestamp(line),
  };
}

function detectType(line: string): DatasetType {
  if (/"(?:input_length|hash_ids)"\s*:/.test(line)) return 'mooncake_trace';
  return /"turns"\s*:/.test(line) ? 'multi_turn' : 'single_turn';
}

function readFirstLine(file: string): string {
  const descriptor = openSync(file, 'r');
  try {
    const buffer = Buffer.alloc(MAX_HEAD_BYTES);
    const length = readSync(descriptor, buffer, 0, MAX_HEAD_BYTES, 0);
    return buffer
      .toString('utf8', 0, length)
      .replace(/^\uFEFF/, '')
      .trimStart()
      .split('\n', 1)[0]!;
  } finally {
    closeSync(descriptor);
  }
}

/** Reports whether a line, or the first turn in it, has a timestamp. Invalid lines have none. */
function hasTimestamp(line: string): boolean {
  try {
    const fields = JSON.parse(line) as { timestamp?: unknown; turns?: readonly { timestamp?: unknown }[] };
    return typeof (fields.timestamp ?? fields.turns?.[0]?.timestamp) === 'number';
  } catch {
    return false;
  }
}
