import { createInterface, type Interface } from 'node:readline';
import { getTerminalWidth, toPrintable } from '@org/terminal';
import type { Io } from '@org/terminal/program';
import type { Database } from './database.ts';
import { MACROS } from './macros.ts';
import { FORMATS, printResult, type TextFormat } from './output.ts';
import { toQueryError } from './queryError.ts';
import { runStatements } from './queryResult.ts';
import { quoteLiteral } from './views.ts';

const VIEWS = ['samples', 'histograms', 'buckets', 'series', 'runs', 'rows'];
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
 * running statement; Ctrl-D exits.
 */
export async function runPrompt(database: Database, io: Io, format: TextFormat): Promise<void> {
  const session = new Session(database, io, format);
  if (session.lines.terminal)
    io.stdout.write(`${[...new Set(database.sources.map(({ run }) => run))].join(', ')}\n${HELP}\n`);
  await session.run();
}

const HELP = [
  `Views: ${VIEWS.join(', ')}. End each statement with ;`,
  '.tables  .functions  .metrics [TEXT]  .mode table|csv|json|jsonl  .help  .quit',
].join('\n');

class Session {
  readonly lines: Interface;
  readonly #database: Database;
  readonly #io: Io;
  #format: TextFormat;
  #typed = '';
  #running = false;

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

  async run(): Promise<void> {
    this.lines.on('SIGINT', () => this.#interrupt());
    this.#ask();
    for await (const line of this.lines) {
      if (await this.#take(line)) break;
      this.#ask();
    }
    // The last statement of a pipe may lack its semicolon.
    if (this.#typed.trim() !== '') await this.#answer(this.#typed);
    this.lines.close();
  }

  #ask(): void {
    if (!this.lines.terminal) return;
    this.lines.setPrompt(this.#typed === '' ? 'servelens> ' : '       ... ');
    this.lines.prompt();
  }

  #interrupt(): void {
    if (this.#running) {
      this.#database.connection.interrupt();
      return;
    }
    this.#typed = '';
    this.#io.stdout.write('\n');
    this.#ask();
  }

  /** Handles a line; returns true if it was the last one. */
  async #take(line: string): Promise<boolean> {
    if (this.#typed === '' && line.trimStart().startsWith('.')) return this.#command(line.trim());
    this.#typed = this.#typed === '' ? line : `${this.#typed}\n${line}`;
    if (this.#typed.trim() === '') this.#typed = '';
    if (!/;\s*$/.test(this.#typed)) return false;
    const sql = this.#typed;
    this.#typed = '';
    await this.#answer(sql);
    return false;
  }

  async #answer(sql: string): Promise<void> {
    const { stdout, stderr } = this.#io;
    this.#running = true;
    try {
      const page = { stream: stdout, width: stdout.isTTY ? getTerminalWidth(stdout) : Infinity };
      for await (const result of runStatements(this.#database.connection, sql))
        await printResult(result, this.#format, page);
    } catch (error) {
      const shown = toQueryError(error);
      if (!(shown instanceof Error)) throw shown;
      stderr.write(`${shown.message.split('\n').map(toPrintable).join('\n')}\n`);
    } finally {
      this.#running = false;
    }
  }

  /** Runs a command, which starts with a dot; returns true if it ends the session. */
  async #command(line: string): Promise<boolean> {
    const [name, ...words] = line.split(/\s+/);
    const word = words.join(' ');
    if (name === '.quit' || name === '.exit') return true;
    if (name === '.tables') this.#say(VIEWS.join('\n'));
    else if (name === '.functions')
      this.#say(MACROS.map(({ call, description }) => `${call}  ${description}`).join('\n'));
    else if (name === '.metrics') await this.#answer(metricsSql(word));
    else if (name === '.mode') this.#mode(word);
    else this.#say(name === '.help' ? HELP : `unknown command ${toPrintable(name!)}\n${HELP}`);
    return false;
  }

  #mode(word: string): void {
    const format = TEXT_FORMATS.find(candidate => candidate === word);
    if (format) this.#format = format;
    else this.#say(`.mode expects one of ${TEXT_FORMATS.join(', ')}`);
  }

  #say(text: string): void {
    this.#io.stdout.write(`${text}\n`);
  }

  #complete(line: string): [string[], string] {
    const word = /[\w:]*$/.exec(line)![0];
    const all = [
      ...KEYWORDS,
      ...VIEWS,
      ...this.#database.columns,
      ...MACROS.map(({ sql }) => sql.split('(')[0]!),
    ];
    const fitting = all.filter(candidate => candidate.toLowerCase().startsWith(word.toLowerCase()));
    return [fitting, word];
  }
}

function metricsSql(text: string): string {
  const where = text === '' ? '' : ` WHERE contains(metric_name, ${quoteLiteral(text)})`;
  return `SELECT metric_name, metric_type, unit, count(*) AS series FROM series${where} GROUP BY ALL ORDER BY 1`;
}
