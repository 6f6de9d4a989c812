import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Service, startService } from '../service.ts';
import { root } from '../source.ts';
import { hasTmux, Tmux } from './tmux.ts';

const BIN = `${process.execPath} ${join(root, 'apps/cli/bin/servelens.js')}`;
const SIZES = [
  [80, 24],
  [100, 30],
  [160, 48],
] as const;

/** Matches the dashboard with measured latencies of the client and the server. */
const MEASURED = /TTFT +[\d.]+ ms[\s\S]*TTFT +[\d.]+ ms/;
/** Matches the line that the shell prints after the run. */
const ENDED = /exit code (\d+)/;

let simulator: Service;
let folder: string;
let tmux: Tmux | undefined;

/** Opens a terminal, and starts a run of a minute in it. */
function start(columns: number, rows: number, options = '', variables = ''): Tmux {
  const terminal = new Tmux(columns, rows);
  tmux = terminal;
  const load = `--model m --tokenizer builtin --url ${simulator.url} --streaming --request-rate 5 --osl 32 --benchmark-duration 60`;
  // The variable keeps the printed line apart from the typed one.
  terminal.type(
    `code=code; ${variables} ${BIN} profile ${load} --artifact-dir ${folder}/run-${columns} ${options}; echo exit $code $?`,
  );
  return terminal;
}

/** Lists the names of the rows and the titles of a screen, without its values. */
function readNames(screen: string): string[] {
  return screen.split('\n').map(line => /^[A-Za-z/ ]*/.exec(line)![0].trim().replace(/ +/g, ' '));
}

describe.skipIf(process.env.SERVELENS_DEBIAN !== '1' || !hasTmux())('the dashboard in tmux', () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'dashboard-'));
    const command = [join(root, 'apps/cli/bin/servelens.js'), 'simulate', '--model', 'm', '--port'];
    simulator = await startService(process.execPath, port => [...command, String(port)], '/health');
  });
  afterEach(() => {
    tmux?.close();
    rmSync(folder, { recursive: true, force: true });
  });
  afterAll(() => simulator?.stop());

  test.each(SIZES)('fills a terminal of %ix%i', async (columns, rows) => {
    const terminal = start(columns, rows, '--goodput time_to_first_token:200');
    const screen = await terminal.waitFor(MEASURED);
    expect(terminal.isFilled).toBe(true);
    const fixture = readFileSync(
      new URL(`screens/dashboard-${columns}x${rows}.txt`, import.meta.url),
      'utf8',
    );
    expect(readNames(screen)).toEqual(readNames(fixture));
    expect(screen.split('\n')[rows - 1]).toMatch(/^p p99 .* q quit$/);
  });

  test('follows changes of the size and keys', async () => {
    const terminal = start(80, 24);
    await terminal.waitFor(MEASURED);
    terminal.resize(160, 48);
    await terminal.waitFor(/^CLIENT .*SERVER .*\n(?:.*\n)*ENDPOINTS/m);
    terminal.resize(70, 20);
    await terminal.waitFor(/enlarge the terminal to 80x24/);
    terminal.resize(80, 24);
    await terminal.waitFor(/^SERVER /m);
    terminal.press('p');
    await terminal.waitFor(/^CLIENT +now +p50 +p95/m);
    terminal.press('w');
    await terminal.waitFor(/percentiles of the whole phase/);
    terminal.press('s');
    await terminal.waitFor(/^ENDPOINTS[^\n]*\n127\.0\.0\.1/m);
    terminal.press('l');
    await terminal.waitFor(/meet the SLO|endpoints up\n(?!CLIENT|ENDPOINTS)/);
  });

  test('q ends the run, and leaves the last values, the messages and the summary on the terminal', async () => {
    const terminal = start(80, 24);
    await terminal.waitFor(MEASURED);
    terminal.press('q');
    const text = await terminal.waitFor(ENDED, 300);
    expect(terminal.isFilled).toBe(false);
    expect(ENDED.exec(text)![1]).toBe('130');
    const positions = [
      'WARNING  ending the run',
      'CLIENT ',
      'percentiles of the whole phase',
      'Client and server',
    ];
    const found = positions.map(part => text.indexOf(part));
    expect(found).not.toContain(-1);
    expect(found.toSorted((a, b) => a - b)).toEqual(found);
    expect(existsSync(join(folder, 'run-80/profile_export_aiperf.json'))).toBe(true);
    terminal.type('echo typed');
    await terminal.waitFor(/^typed$/m);
  });

  test('Ctrl-C, once or twice, ends the run and restores the terminal', async () => {
    const terminal = start(80, 24);
    await terminal.waitFor(MEASURED);
    terminal.press('C-c');
    await terminal.waitFor(/press Ctrl-C again/, 300);
    terminal.press('C-c');
    const text = await terminal.waitFor(ENDED, 300);
    expect(ENDED.exec(text)![1]).toBe('130');
    expect(terminal.isFilled).toBe(false);
    terminal.type('echo typed');
    await terminal.waitFor(/^typed$/m);
  });

  test('NO_COLOR removes all colors', async () => {
    const terminal = start(80, 24, '', 'NO_COLOR=1');
    await terminal.waitFor(MEASURED);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern must match control characters
    expect(terminal.capture(0, '-e')).not.toMatch(/\u001b\[3\d/);
  });

  test.each([
    ['on a terminal that is too small', 79, '', '', /profiling \d+ s .*req\/s/],
    ['with TERM=dumb', 80, '', 'TERM=dumb', /profiling \d+ s .*req\/s/],
    ['with --ui line', 80, '--ui line', '', /profiling \d+ s .*req\/s/],
    ['with --ui none', 80, '--ui none', '', /INFO +profiling \d+ s, /],
  ])('is replaced %s', async (_, columns, options, variables, pattern) => {
    const terminal = start(columns, 24, options, variables);
    await terminal.waitFor(pattern);
    expect(terminal.isFilled).toBe(false);
  });

  test('fills the terminal with the values of the servers if there is no client', async () => {
    tmux = new Tmux(80, 24);
    tmux.type(`${BIN} collect --url ${simulator.url} --duration 60 --artifact-dir ${folder}/collect`);
    const screen = await tmux.waitFor(/^profiling [^\n]* left[\s\S]*running +\d/);
    expect(screen).toMatch(/^REQUESTS .*\nrequests\/s[\s\S]*^SERVER .*\ninput tok\/s[\s\S]*KV cache +0%/m);
    expect(screen).toMatch(/profiling \d+ s {2}[█░]{20} \d+% {2}\d+ s left/);
  });
});
