import { createInterface, type Interface } from 'node:readline';
import { getTerminalWidth, toPrintable } from '@org/terminal';
import type { Io } from '@org/terminal/program';
import { type Database, toQueryError } from './database.ts';
import { MACROS } from './macros.ts';
import { FORMATS, printResult, type TextFormat } from './output.ts';
import { runStatements } from './runStatements.ts';
import { quoteLiteral } from './views.ts';

const VIEWS = [
  'samples',
  'histograms',
  'buckets',
  'series',
  'statistics',
  'requests',
  'gpu_samples',
  'runs',
  'rows',
];
const KEYWORDS = [
  'SELECT',
  'FROM',
  'WHERE',
  'GROUP BY',
  'ORDER BY',
  'LIMIT',
  'USING SAMPLE',
  'DESCRIBE',
  'SUMMARIZE',
];
const TEXT_FORMATS = FORMATS.filter((candidate): candidate is TextFormat => candidate !== 'parquet');

/**
 * Runs an interactive prompt. A statement ends with a semicolon; Ctrl-C discards the input or interrupts the
 * running statement; Ctrl-D exits. Returns the exit code: 2 if the input is not a terminal and a statement or
 * command has failed, otherwise 0.
 */
export async function runPrompt(database: Database, io: Io, format: TextFormat): Promise<0 | 2> {
  const session = new Session(database, io, format);
  if (session.lines.terminal)
    io.stdout.write(`${[...new Set(database.sources.map(({ run }) => run))].join(', ')}\n${HELP}\n`);
  await session.run();
  return session.hasFailed && !session.lines.terminal ? 2 : 0;
}

const HELP = [
  `Views: ${VIEWS.join(', ')}. End each statement with ;`,
  '.tables  .functions  .metrics [TEXT]  .mode table|csv|json|jsonl  .help  .quit',
].join('\n');

/** An interactive session that reads lines and runs SQL statements and dot commands. */
class Session {
  readonly lines: Interface;
  readonly #database: Database;
  readonly #io: Io;
  #format: TextFormat;
  #input = '';
  #isRunning = false;
  #hasFailed = false;

  constructor(database: Database, io: Io, format: TextFormat) {
    this.#database = database;
    this.#io = io;
    this.#format = format;
    const terminal = io.stdout.isTTY === true && process.stdin.isTTY === true;
    this.lines = createInterface({
      input: process.stdin,
      ...(terminal && { output: io.stdout }),
      terminal,
      prompt: '',
      completer: (line: string) => this.#complete(line),
    });
  }

  /** True if a statement or a command has failed. */
  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  async run(): Promise<void> {
    this.lines.on('SIGINT', () => this.#interrupt());
    this.#showPrompt();
    for await (const line of this.lines) {
      if (await this.#handleLine(line)) break;
      this.#showPrompt();
    }
    // The last statement of the input may lack a semicolon, for example if the input is a pipe.
    if (this.#input.trim() !== '') await this.#execute(this.#input);
    this.lines.close();
  }

  #showPrompt(): void {
    if (!this.lines.terminal) return;
    this.lines.setPrompt(this.#input === '' ? 'servelens> ' : '       ... ');
    this.lines.prompt();
  }

  #interrupt(): void {
    if (this.#isRunning) {
      this.#database.connection.interrupt();
      return;
    }
    this.#input = '';
    this.#io.stdout.write('\n');
    this.#showPrompt();
  }

  /** Handles a line of input. Returns true if it ends the session. */
  async #handleLine(line: string): Promise<boolean> {
    if (this.#input === '' && line.trimStart().startsWith('.')) return this.#runCommand(line.trim());
    this.#input = this.#input === '' ? line : `${this.#input}\n${line}`;
    if (this.#input.trim() === '') this.#input = '';
    if (!/;\s*$/.test(this.#input)) return false;
    const sql = this.#input;
    this.#input = '';
    await this.#execute(sql);
    return false;
  }

  async #execute(sql: string): Promise<void> {
    const { stdout, stderr } = this.#io;
    this.#isRunning = true;
    try {
      const target = { stream: stdout, width: stdout.isTTY ? getTerminalWidth(stdout) : Infinity };
      for (const note of await this.#database.tables.load(sql)) stderr.write(`${toPrintable(note)}\n`);
      for await (const result of runStatements(this.#database, sql))
        await printResult(result, this.#format, target);
    } catch (error) {
      const queryError = toQueryError(error);
      if (!(queryError instanceof Error)) throw queryError;
      this.#hasFailed = true;
      stderr.write(`${queryError.message.split('\n').map(toPrintable).join('\n')}\n`);
    } finally {
      this.#isRunning = false;
    }
  }

  /** Runs a dot command, such as `.tables`. Returns true if it ends the session. */
  async #runCommand(line: string): Promise<boolean> {
    const [name, ...args] = line.split(/\s+/);
    const argument = args.join(' ');
    if (name === '.quit' || name === '.exit') return true;
    if (name === '.tables') this.#print(VIEWS.join('\n'));
    else if (name === '.functions')
      this.#print(MACROS.map(({ call, description }) => `${call}  ${description}`).join('\n'));
    else if (name === '.metrics') await this.#execute(createMetricsQuery(argument));
    else if (name === '.mode') this.#setFormat(argument);
    else if (name === '.help') this.#print(HELP);
    else this.#fail(`unknown command ${JSON.stringify(name)}\n${HELP}`);
    return false;
  }

  #setFormat(name: string): void {
    const format = TEXT_FORMATS.find(candidate => candidate === name);
    if (format) this.#format = format;
    else this.#fail(`invalid .mode ${JSON.stringify(name)}: expected ${TEXT_FORMATS.join(', ')}`);
  }

  #fail(message: string): void {
    this.#hasFailed = true;
    this.#print(message);
  }

  #print(text: string): void {
    this.#io.stdout.write(`${text}\n`);
  }

  #complete(line: string): [string[], string] {
    const word = /[\w:]*$/.exec(line)![0];
    const candidates = [
      ...KEYWORDS,
      ...VIEWS,
      ...this.#database.columns,
      ...MACROS.map(({ sql }) => sql.split('(')[0]!),
    ];
    const matches = candidates.filter(candidate => candidate.toLowerCase().startsWith(word.toLowerCase()));
    return [matches, word];
  }
}

function createMetricsQuery(text: string): string {
  const where = text === '' ? '' : ` WHERE contains(metric_name, ${quoteLiteral(text)})`;
  return `SELECT metric_name, metric_type, unit, count(*) AS series FROM series${where} GROUP BY ALL ORDER BY 1`;
}
