import type { SearchHistory } from '@org/formats';
import { renderSearch } from '@org/reader';
import type { Measurement } from '@org/run';
import { getTerminalWidth, shouldUseColor } from '@org/terminal';
import type { Log } from '@org/terminal/live';
import type { Io } from '@org/terminal/program';

/** Prints the result of a search and the evidence for it. */
export function printSearch(search: SearchHistory, { stdout, env }: Io): void {
  const style = { width: getTerminalWidth(stdout), color: shouldUseColor(stdout, env) };
  stdout.write(`\n${renderSearch(search, style)}\n`);
}

/** Logs the limits of a run that failed or could not be evaluated. */
export function logLimits({ limits, verdict }: Measurement, log: Log): void {
  for (const { limit, outcome, detail } of limits) {
    if (outcome === 'failed') log.info(`  ✗ ${limit}: ${detail}`);
    else if (outcome === 'unknown' && verdict === 'unknown')
      log.error(`cannot evaluate the limit ${limit}: ${detail}`);
  }
}
