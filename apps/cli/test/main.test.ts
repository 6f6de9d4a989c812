import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { expect, test, vi } from 'vitest';
import { main } from '../src/main.ts';
import { testIo } from './io.ts';

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
  [['colect'], /Did you mean collect\?|Unknown/],
  [['collect', '--server-metrcs', 'a:1'], /Unknown argument: server-metrcs/],
  [['collect', '--server-metrics'], /Not enough arguments following: server-metrics/],
  [
    ['collect', '--server-metrics', 'a:1', '--server-metrics-formats', 'xml'],
    /Given: "xml", Choices: "json", "csv", "jsonl", "parquet"/,
  ],
  [['collect', '--url', 'a:1', '--percentile-method', 'magic'], /Given: "magic", Choices: "moments"/],
  [['simulate', '--kind', 'llama'], /Given: "llama", Choices: "vllm"/],
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
