import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { formatCount } from '@org/core';
import {
  type Api,
  type ImportEvent,
  type ImportState,
  importApi,
  importJsonl,
  importPages,
  type KnownTypes,
} from '@org/importer';
import { getExportPath, hasUnfinishedImport, type RunRecord } from '@org/record';
import { formatCommandLine } from '@org/run';
import { exportRun, makeFolder, openRunMemory } from '@org/run/export';
import { type DefinitionFile, extendBuiltInServers, listUsedTypes } from '@org/servers';
import { readServersOption } from '@org/servers/option';
import { UsageError } from '@org/terminal';
import { createLog, type Log } from '@org/terminal/live';
import type { CommandContext, Io, RawOptions } from '@org/terminal/program';
import { listExports, printWrittenFiles } from '../export/writtenFiles.ts';
import { formatFolder } from '../log/runMessages.ts';
import { withRunFolder } from '../options/defaultFolder.ts';
import { withOptionNames } from '../options/planErrors.ts';
import { formatTimedFolderName } from '../options/timedFolderName.ts';
import { Interruption, toExitCode } from '../process/interruption.ts';
import { ExportLine } from '../screens/exportLine.ts';
import { printRun } from '../screens/runSummary.ts';
import { type ImportOptions, readImportOptions } from './importOptions.ts';
import { ImportProgress } from './importProgress.ts';
import { completeJsonlRecord, createImportRecord, type RecordContext } from './importRecord.ts';

/** Runs `servelens import`. Returns the exit code. */
export async function runImport(raw: RawOptions, context: CommandContext): Promise<number> {
  const { io } = context;
  const now = new Date();
  const options = readImportOptions(raw, io, now.getTime());
  const servers = await readServersOption(raw, io);
  const name = resolve(io.cwd, `artifacts/${formatTimedFolderName('import', now)}`);
  const runFolder = { folder: options.folder ?? name, isDefault: options.folder === undefined, quiet: false };
  return await withRunFolder(runFolder, io, async folder => {
    rejectExistingExports(options, folder);
    const interruption = new Interruption();
    try {
      await makeFolder(folder);
      return await withOptionNames(() =>
        new ImportSession(options, folder, servers, context, interruption).run(),
      );
    } finally {
      interruption.release();
    }
  });
}

/** Throws `UsageError` if an import would overwrite an export, other than those that an unfinished import has written. */
function rejectExistingExports({ exports: { formats } }: ImportOptions, folder: string): void {
  if (hasUnfinishedImport(folder)) return;
  const existing = formats
    .map(format => getExportPath(folder, undefined, format))
    .find(path => existsSync(path));
  if (existing !== undefined)
    throw new UsageError(`${existing} already exists; set --artifact-dir to another folder`);
}

/** The data of an import, and the pieces that are removed after the exports are written. */
interface ReadRun {
  readonly record: RunRecord;
  readonly state?: ImportState;
}

class ImportSession {
  readonly #options: ImportOptions;
  readonly #folder: string;
  readonly #servers: readonly DefinitionFile[];
  readonly #context: CommandContext;
  readonly #io: Io;
  readonly #interruption: Interruption;
  readonly #progress = new ImportProgress();
  readonly #exportLine = new ExportLine();
  readonly #log: Log;

  constructor(
    options: ImportOptions,
    folder: string,
    servers: readonly DefinitionFile[],
    context: CommandContext,
    interruption: Interruption,
  ) {
    this.#options = options;
    this.#folder = folder;
    this.#servers = servers;
    this.#context = context;
    this.#io = context.io;
    this.#interruption = interruption;
    this.#log = createLog(context.io, options.isQuiet, () => {
      this.#progress.clear();
      this.#exportLine.clear();
    });
  }

  async run(): Promise<number> {
    const storage = openRunMemory(this.#folder, this.#options.memoryLimit, {
      onStateChange: ({ message }) => this.#log.warning(message),
    });
    try {
      const { record, state } = await this.#read(storage.memory);
      for (const limitation of record.import?.limitations ?? []) this.#log.info(limitation);
      const isWritten = await this.#export(record);
      if (isWritten) state?.remove();
      else if (state) this.#reportKeptData();
      return isWritten ? 0 : 1;
    } catch (error) {
      if (!this.#interruption.signal.aborted) throw error;
      this.#reportInterruption();
      return toExitCode(this.#interruption.received!);
    } finally {
      this.#progress.stop();
      this.#exportLine.stop();
      storage.close();
    }
  }

  async #read(memory: ReturnType<typeof openRunMemory>['memory']): Promise<ReadRun> {
    const { source } = this.#options;
    const { signal } = this.#interruption;
    const context = this.#recordContext;
    this.#progress.start(this.#io, this.#log);
    try {
      if (source.kind === 'jsonl') {
        const record = await importJsonl({ path: source.path, isCounter: this.#createCounterTest(), memory });
        return { record: completeJsonlRecord(record, context) };
      }
      if (source.kind === 'pages') {
        const onPage = (pages: number, total: number): void => this.#progress.showPages(pages, total);
        return {
          record: createImportRecord(await importPages({ ...source, memory, signal, onPage }), context),
        };
      }
      const { imported, state } = await importApi({
        ...source,
        folder: this.#folder,
        memory,
        knownTypes: this.#listKnownTypes(),
        signal,
        onEvent: event => this.#handleEvent(event),
      });
      return { record: createImportRecord(imported, context), state };
    } finally {
      this.#progress.stop();
    }
  }

  async #export(record: RunRecord): Promise<boolean> {
    const exports = await exportRun(record, {
      ...this.#options.exports,
      folder: this.#folder,
      onProgress: progress =>
        this.#exportLine.update(progress, this.#io, this.#log, this.#io.stderr.isTTY === true),
    });
    this.#exportLine.stop();
    if (this.#options.printsJson) printWrittenFiles(listExports(exports.results), this.#io, this.#log);
    else printRun(record, exports, { out: this.#io.stdout, io: this.#io, log: this.#log });
    return exports.results.every(({ failure }) => failure === undefined);
  }

  get #recordContext(): RecordContext {
    const { argv, version } = this.#context;
    return {
      options: this.#options,
      servers: this.#servers,
      version,
      cliCommand: formatCommandLine(argv),
    };
  }

  /** Lists the types of the metrics of known servers. */
  #listKnownTypes(): KnownTypes {
    const { servers } = extendBuiltInServers(this.#servers);
    return new Map(servers.flatMap(server => [...listUsedTypes(server)]));
  }

  #createCounterTest(): (name: string) => boolean {
    const types = this.#listKnownTypes();
    return name => types.get(name) === 'counter';
  }

  #handleEvent(event: ImportEvent): void {
    this.#progress.handle(event);
    const log = this.#log;
    if (event.type === 'api_selected') {
      for (const message of event.rejected) log.info(message);
      log.info(`reading samples by ${API_NAMES[event.api]}`);
    }
    if (event.type === 'continued')
      log.info(`continuing: ${event.pieces} of ${formatCount(event.total, 'piece')} were read before`);
    if (event.type === 'retried') log.warning(`${event.message}; retrying`);
  }

  #reportKeptData(): void {
    const folder = formatFolder(this.#folder, this.#io);
    this.#log.error(
      `the data that was read is kept; to write the exports, run the same command with --artifact-dir ${folder}`,
    );
  }

  #reportInterruption(): void {
    const folder = formatFolder(this.#folder, this.#io);
    const advice =
      this.#options.source.kind === 'api'
        ? `to continue, run the same command with --artifact-dir ${folder}`
        : 'run the command again';
    this.#log.error(`the import was interrupted, and no exports were written; ${advice}`);
  }
}

/** The APIs in messages. */
const API_NAMES: Readonly<Record<Api, string>> = {
  'remote-read': 'remote read',
  'victoria-metrics': "VictoriaMetrics' export",
  'query-range': 'range queries',
};
