import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { Writable } from 'node:stream';
import { createLog } from '@org/terminal/live';
import { type CommandContext, type Io, isSet, type RawOptions, runProgram } from '@org/terminal/program';
import type { WrittenFile } from '../export/writtenFiles.ts';
import { type RunReport, watchLog } from '../result/runReport.ts';

/** The page to write at the end. */
export interface AutoPlot {
  /** True if the command fails if the page cannot be written. */
  readonly isRequired: boolean;
}

/** Exit code if the page is required and cannot be written. */
const FAILED = 1;

/** The first exit code of a run that a signal has ended. */
const INTERRUPTED = 128;

/** Returns the words that print the written files as JSON, the streams that keep this output, and a function that reads it. */
function captureFiles(io: Io): {
  readonly io: Io;
  readonly words: readonly string[];
  readonly list: () => WrittenFile[];
} {
  const chunks: string[] = [];
  const stdout = new Writable({
    write: (chunk, _encoding, done) => {
      chunks.push(String(chunk));
      done();
    },
  });
  const list = (): WrittenFile[] => {
    const { files } = JSON.parse(chunks.join('')) as { readonly files: readonly { readonly path: string }[] };
    return files.map(({ path }) => resolve(io.cwd, path)).map(path => ({ path, bytes: statSync(path).size }));
  };
  return { io: { ...io, stdout }, words: ['--json'], list };
}

/** Reads --auto-plot and --plot-required; undefined if no page is written. */
export function readAutoPlot(raw: RawOptions): AutoPlot | undefined {
  return isSet(raw, 'auto-plot') ? { isRequired: isSet(raw, 'plot-required') } : undefined;
}

/**
 * Writes the page of a run, or of several runs, unless the run was interrupted. Returns the exit code of the command: `code`,
 * or 1 if the page is required and cannot be written. `report` receives the page for `--json`.
 */
export async function plotAutomatically(
  plot: AutoPlot | undefined,
  folder: string,
  code: number,
  { io }: CommandContext,
  report?: RunReport,
): Promise<number> {
  if (!plot || code >= INTERRUPTED) return code;
  const { readerProgram } = await import('@org/reader');
  const packageFile = new URL('../../package.json', import.meta.url);
  const program = { ...readerProgram, name: 'servelens read', packageFile };
  const page = report ? captureFiles(io) : { io, words: [], list: () => [] };
  if ((await runProgram(program, ['report', folder, ...page.words], page.io)) === 0) {
    report?.addFiles(page.list());
    return code;
  }
  const log = watchLog(
    createLog(io, false, () => {}),
    report,
  );
  if (!plot.isRequired) {
    log.warning('the page with the charts was not written');
    return code;
  }
  log.error('the page with the charts was not written, but --plot-required is set');
  return code === 0 ? FAILED : code;
}
