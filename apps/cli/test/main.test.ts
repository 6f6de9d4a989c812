import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { expect, test, vi } from 'vitest';
import { main } from '../src/main.ts';
import { VARIABLES } from '../src/settings.ts';
import { testIo } from './io.ts';

/** The command as it is built: `simulate` is bundled there. */
function built(args: readonly string[], input = ''): { code: number | null; out: string; err: string } {
  const bin = fileURLToPath(new URL('../bin/servelens.js', import.meta.url));
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], { input, encoding: 'utf8' });
  return { code: status, out: stdout, err: stderr };
}

/** yargs prints help through the console. */
async function printed(...args: string[]): Promise<{ code: number; text: string; err: string }> {
  const lines: string[] = [];
  const log = vi.spyOn(console, 'log').mockImplementation(line => void lines.push(String(line)));
  const io = testIo(tmpdir());
  const code = await main(args, io);
  log.mockRestore();
  return { code, text: [...lines, ...io.out].join('\n'), err: io.err.join('') };
}

test('--help names the commands', async () => {
  const { code, text } = await printed('--help');
  expect(code).toBe(0);
  for (const command of ['collect', 'validate', 'recover', 'simulate', 'read'])
    expect(text).toContain(`servelens ${command}`);
});

test('collect --help is grouped, with examples and defaults', async () => {
  const { text } = await printed('collect', '--help');
  for (const group of ['What to scrape:', 'When:', 'Exports:', 'While it runs:', 'Examples:'])
    expect(text).toContain(group);
  expect(text).toMatch(/--server-metrics-formats[\s\S]*\[default: \["json","csv","parquet"\]\]/);
  expect(text).toMatch(/--percentile-method[\s\S]*"moments", "polynomial", "linear"/);
  expect(Math.max(...text.split('\n').map(line => line.length))).toBeLessThanOrEqual(100);
});

test('collect --help names the variables of the environment', async () => {
  const { text } = await printed('collect', '--help');
  for (const { name, meaning } of VARIABLES) {
    expect(text).toContain(name);
    expect(text).toContain(meaning);
  }
});

test.each(['validate', 'recover', 'simulate'])('%s has a help of its own', async command => {
  const { code, text } = await printed(command, '--help');
  expect(code).toBe(0);
  expect(text).toContain(`servelens ${command}`);
});

test('--version is that of the package', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  expect((await printed('--version')).text).toBe(version);
});

test.each([
  [[], /name a command; see --help/],
  [['colect'], /Did you mean collect\?/],
  [['foo'], /unexpected argument: foo/],
  [['collect', '--url', 'a:1', '--'], /a command is missing behind --/],
  [['collect', '--no-server-metrics', '--'], /a command is missing behind --/],
  [['collect', '--url', 'a:1', '--quiet', 'sleep', '1'], /cannot use "sleep"; a command stands behind --/],
  [['collect', '--url', 'a:1', '--server-metrics-formats'], /--server-metrics-formats requires a value/],
  [['recover', 'x', '--server-metrics-formats'], /--server-metrics-formats requires a value/],
  [['simulate', '--seed', 'x'], /--seed is "x"; expected a number/],
  [['simulate', '--port', '99999'], /--port is 99999; expected a port, from 0 to 65535/],
  [['simulate', '--port', '1', '--port', '2'], /--port is given 2 times, as 1 and 2/],
  [
    ['collect', '--server-metrcs', 'a:1'],
    /^servelens: unknown option --server-metrcs; did you mean --server-metrics\?$/m,
  ],
  [
    ['profile', '--model', 'm', '--concurency', '4'],
    /unknown option --concurency; did you mean --concurrency\?/,
  ],
  [['recover', 'x', '--slice', '4'], /unknown option --slice; see --help/],
  [['collect', '--server-metrics'], /--server-metrics requires a value/],
  [
    ['collect', '--server-metrics', 'a:1', '--server-metrics-formats', 'xml'],
    /--server-metrics-formats is "xml"; expected one of "json", "csv", "jsonl", "parquet"; see --help/,
  ],
  [['export', 'x', '--formats', 'json,xml'], /--formats is "xml"; expected one of "json", "csv", "jsonl"/],
  [
    ['collect', '--url', 'a:1', '--percentile-method', 'magic'],
    /--percentile-method is "magic"; expected one of "moments"/,
  ],
  [['simulate', '--kind', 'llama'], /--kind is "llama"; expected one of "vllm"/],
  [['simulate', '--fault', 'nonsense:x=1'], /nonsense/],
  [['validate'], /see --help/],
  [['validate', 'x', '--json', '--junit'], /mutually exclusive/],
])('%j is answered in words and with 2', async (args, message) => {
  const { code, err } = await printed(...args);
  expect(code).toBe(2);
  expect(err).toMatch(/^servelens: /);
  expect(err).toMatch(message);
  expect(err).not.toContain('    at ');
});

test.each([
  [['--port', 'abc'], /--port is "abc"; expected a number/],
  [['--fault', 'foo'], /fault kind is "foo"; one of status/],
  [['--fault', 'stall'], /"seconds" of the fault "stall" is undefined/],
])('simulate %j as it is built: words, no stack trace', (args, message) => {
  const { code, err } = built(['simulate', ...args]);
  expect(err).toMatch(message);
  expect(err).not.toContain('    at ');
  expect(code).toBe(2);
});

test('simulate as it is built at a port that is taken', async () => {
  const server = createServer();
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const { code, err } = built(['simulate', '--port', String(port)]);
  server.close();
  expect(err).toMatch(/^servelens: cannot listen on 127\.0\.0\.1:\d+: listen EADDRINUSE/);
  expect(err).not.toContain('    at ');
  expect(code).toBe(2);
});

test.each([
  [['-'], ['-']],
  [
    ['no-such-file', '-', '--json'],
    ['-', 'no-such-file'],
  ],
])('validate %j reads standard input', (args, names) => {
  const { code, out } = built(['validate', ...args], '{"no": "export"}');
  expect(code).toBe(1);
  for (const name of names) expect(out).toMatch(new RegExp(`(?:✗ |")${name}`));
  expect(out).not.toContain('; expected a value');
});
