import { createLog } from '@org/terminal/live';
import { type CommandContext, isSet, type RawOptions, runProgram } from '@org/terminal/program';

/** Exit code if the page is required and cannot be written. */
const FAILED = 1;

/** The first exit code of a run that a signal has ended. */
const INTERRUPTED = 128;

/**
 * Writes the page of a run, or of several runs, if --auto-plot is set and the run was not interrupted. Returns the exit code
 * of the command: `code`, or 1 if --plot-required is set and the page cannot be written.
 */
export async function plotAutomatically(
  raw: RawOptions,
  folder: string,
  code: number,
  { io }: CommandContext,
): Promise<number> {
  if (!isSet(raw, 'auto-plot') || code >= INTERRUPTED) return code;
  const { readerProgram } = await import('@org/reader');
  const packageFile = new URL('../../package.json', import.meta.url);
  const program = { ...readerProgram, name: 'servelens read', packageFile };
  if ((await runProgram(program, ['report', folder], io)) === 0) return code;
  const log = createLog(io, false, () => {});
  if (!isSet(raw, 'plot-required')) {
    log.warning('the page with the charts was not written');
    return code;
  }
  log.error('the page with the charts was not written, which --plot-required requires');
  return code === 0 ? FAILED : code;
}
