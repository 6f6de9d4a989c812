import type { DatasetType } from '@org/loadgen';
import type { RawOptions } from '@org/terminal/program';

/** Formats the option that names the prompts: `--input-file`, or `--public-dataset NAME`. */
export function formatInputSource(raw: RawOptions): string {
  const dataset = raw['public-dataset'];
  return typeof dataset === 'string' ? `--public-dataset ${dataset}` : '--input-file';
}

/**
 * Formats why prompts are not what an option requires: the end of a message such as `requires a trace; the type of --input-file
 * is single_turn`.
 */
export function formatInputType(raw: RawOptions, type: DatasetType | undefined): string {
  const source = formatInputSource(raw);
  if (source !== '--input-file') return `; ${source} is not one`;
  return type === undefined ? '' : `; the type of --input-file is ${type}`;
}
