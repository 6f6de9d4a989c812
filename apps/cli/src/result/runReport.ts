import { Writable } from 'node:stream';
import type { Log } from '@org/terminal/live';
import type { CommandContext, Io } from '@org/terminal/program';
import type { WrittenFile } from '../export/writtenFiles.ts';

/** A warning or an error that was logged during a run. */
interface Problem {
  readonly level: 'warning' | 'error';
  readonly message: string;
}

/** The end of a command. `interrupted` means that a signal ended the run. */
type Outcome = 'success' | 'failure' | 'interrupted';

/** The facts of a session about its run, or about its runs. */
export interface RunFacts {
  /** Absolute path of the folder of the run. */
  readonly folder: string;
  readonly wasCancelled: boolean;
  readonly files: readonly WrittenFile[];
  /** Figures of the run, with the names of the document. */
  readonly figures: Readonly<Record<string, unknown>>;
}

/**
 * The result of `collect` or `profile` as `--json` prints it. Sessions report their facts; the command prints the document with
 * its exit code.
 */
export class RunReport {
  readonly #command: string;
  readonly #problems: Problem[] = [];
  #folder: string | undefined;
  #facts: RunFacts | undefined;
  readonly #furtherFiles: WrittenFile[] = [];

  constructor(command: 'collect' | 'profile') {
    this.#command = command;
  }

  /** Returns a log that also keeps warnings and errors for the document. */
  watchLog(log: Log): Log {
    const keep =
      (level: Problem['level']): Log['info'] =>
      message => {
        this.#problems.push({ level, message });
        log[level](message);
      };
    return { info: message => log.info(message), warning: keep('warning'), error: keep('error') };
  }

  /** Sets the folder of the run before it starts, so that the document of a failed run has it. */
  setFolder(folder: string): void {
    this.#folder = folder;
  }

  setFacts(facts: RunFacts): void {
    this.#facts = facts;
  }

  /** Adds files that were written after the run. */
  addFiles(files: readonly WrittenFile[]): void {
    this.#furtherFiles.push(...files);
  }

  /** Returns the document. Without facts, the run has failed before it had a result. */
  toDocument(exitCode: number): object {
    const { folder = this.#folder, wasCancelled = false, files = [], figures = {} } = this.#facts ?? {};
    const all = [...files, ...this.#furtherFiles];
    const outcome: Outcome = exitCode === 0 ? 'success' : wasCancelled ? 'interrupted' : 'failure';
    return {
      command: this.#command,
      folder: folder ?? null,
      exit_code: exitCode,
      outcome,
      problems: this.#problems,
      files: all.filter(({ error }) => error === undefined),
      failed: all.filter(({ error }) => error !== undefined),
      ...figures,
    };
  }
}

/** Keeps a log as it is, or also its problems for the document of `--json`. */
export function watchLog(log: Log, report: RunReport | undefined): Log {
  return report?.watchLog(log) ?? log;
}

/**
 * Runs a command with a report if `--json` is set: the screens of the command are omitted, and the document is printed at the
 * end. Returns the exit code.
 */
export async function runWithReport(
  command: 'collect' | 'profile',
  printsJson: boolean,
  context: CommandContext,
  run: (context: CommandContext, report?: RunReport) => Promise<number>,
): Promise<number> {
  if (!printsJson) return await run(context);
  const report = new RunReport(command);
  const code = await run({ ...context, io: omitScreens(context.io) }, report);
  const { stringifyJson } = await import('@org/formats/write');
  context.io.stdout.write(`${stringifyJson(report.toDocument(code), 2)}\n`);
  return code;
}

/** Returns the streams of a command without stdout. */
function omitScreens(io: Io): Io {
  return { ...io, stdout: new Writable({ write: (_chunk, _encoding, done) => done() }) };
}
