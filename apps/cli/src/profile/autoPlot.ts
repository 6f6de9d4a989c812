import { createLog } from '@org/terminal/live';
import { type CommandContext, isSet, type RawOptions, runProgram } from '@org/terminal/program';

/** The page to write at the end. */
export interface AutoPlot {
  /** True if the command fails if the page cannot be written. */
  readonly isRequired: boolean;
}

/** Exit code if the page is required and cannot be written. */
const FAILED = 1;

/** The first exit code of a run that a signal has ended. */
const INTERRUPTED = 128;

/** Reads --auto-plot and --plot-required; undefined if no page is written. */
export function readAutoPlot(raw: RawOptions): AutoPlot | undefined {
  return isSet(raw, 'auto-plot') ? { isRequired: isSet(raw, 'plot-required') } : undefined;
}

/**
 * Writes the page of a run, or of several runs, unless the run was interrupted. Returns the exit code of the command: `code`,
 * or 1 if the page is required and cannot be written.
 */
export async function plotAutomatically(
  plot: AutoPlot | undefined,
  folder: string,
  code: number,
  { io }: CommandContext,
): Promise<number> {
  if (!plot || code >= INTERRUPTED) return code;
  const { readerProgram } = await import('@org/reader');
  const packageFile = new URL('../../package.json', import.meta.url);
  const program = { ...readerProgram, name: 'servelens read', packageFile };
  if ((await runProgram(program, ['report', folder], io)) === 0) return code;
  const log = createLog(io, false, () => {});
  if (!plot.isRequired) {
    log.warning('the page with the charts was not written');
    return code;
  }
  log.error('the page with the charts was not written, but --plot-required is set');
  return code === 0 ? FAILED : code;
}
