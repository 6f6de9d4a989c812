import { resolve } from 'node:path';
import { writePushReportJson } from '@org/formats/write';
import { UsageError } from '@org/terminal';
import { createLog } from '@org/terminal/live';
import { type CommandContext, isSet, type RawOptions, readList } from '@org/terminal/program';
import { readDelivery } from '../options/push.ts';
import { toPushDocument } from './pushFile.ts';
import { countLost, logPushReport } from './pushReport.ts';

/** Runs `servelens push`: pushes the statistics of runs that have ended. Returns the exit code. */
export async function pushRuns(raw: RawOptions, { io, version }: CommandContext): Promise<number> {
  const { targets, labels, timeoutMs } = readDelivery(raw, 'to', io.cwd);
  if (targets.length === 0) throw new UsageError('missing --to; set a receiver as --to PROTOCOL=URL');
  const { createLocalDispatcher, describeRun, openFinishedRun } = await import('@org/push/finished');
  const names = readList(raw, 'runs').map(name => resolve(io.cwd, name));
  const runs = await withReadErrors(() => Promise.all(names.map(openFinishedRun)));
  const timed = runs.map(run => ({ run, timeMs: chooseTime(run, raw) }));
  const { Push } = await import('@org/push');
  const push = new Push({ targets, labels, version, createDispatcher: createLocalDispatcher });
  for (const { run, timeMs } of timed) await push.addFinishedRun(run, describeRun(run), timeMs);
  const report = await push.close(timeoutMs);
  logPushReport(
    report,
    createLog(io, isSet(raw, 'quiet'), () => {}),
  );
  if (isSet(raw, 'json')) io.stdout.write(`${writePushReportJson(toPushDocument(report))}\n`);
  return report.destinations.some(destination => countLost(destination) > 0) ? 1 : 0;
}

/** Converts errors about the files of a run, which are for the user. */
async function withReadErrors<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    const isKnown = error instanceof Error && ['RunError', 'FormatError'].includes(error.name);
    throw isKnown ? new UsageError(error.message) : error;
  }
}

/** The parts of a run that its time depends on. */
interface FinishedRun {
  readonly name: string;
  readonly times: { readonly endNs?: bigint };
}

/** Chooses the time of the statistics, in milliseconds since 1970. */
function chooseTime({ name, times: { endNs } }: FinishedRun, raw: RawOptions): number {
  if (raw.time !== 'run') return Date.now();
  if (endNs === undefined)
    throw new UsageError(`--time run: the end of ${JSON.stringify(name)} is unknown; use --time now`);
  return Number(endNs / 1_000_000n);
}
