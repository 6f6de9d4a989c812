import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { runServelens } from './servelens.ts';
import { readSources, readWorkspaces, root } from './source.ts';

const COMMANDS = [
  'profile',
  'collect',
  'mark',
  'validate',
  'recover',
  'merge',
  'kube manifest',
  'export',
  'import',
  'analyze-trace',
  'config init',
  'config check',
  'config expand',
  'simulate',
  'read summary',
  'read compare',
  'read check',
  'read query',
  'read dataset',
  'read report',
  'read trend',
  'watch',
  'push',
  'completion',
  'man',
];
/** Pages that mention many options of other programs. */
const OTHER_PAGES = new Set(['aiperf-options.md', 'architecture.md', 'benchmarks.md']);
const PAGES = [
  'README.md',
  ...readdirSync(join(root, 'docs'))
    .filter(name => name.endsWith('.md') && !OTHER_PAGES.has(name))
    .map(name => `docs/${name}`),
];
/** Options of other programs that pages mention. */
const OTHER_OPTIONS: ReadonlySet<string> = new Set([
  '--build-arg',
  '--global',
  '--max-num-seqs',
  '--network',
  '--omit',
  '--package',
  '--per-request-spec-decode-metrics',
  '--repo-type',
  '--rm',
  '--tag',
  '--ui',
  '--version',
  '--volume',
  '--zmq-host',
]);
/** Options of AIPerf, which sections on AIPerf mention. */
const AIPERF_OPTIONS: ReadonlySet<string> = new Set(
  (
    JSON.parse(readFileSync(join(root, 'test/peers/aiperf/options.json'), 'utf8')) as {
      readonly names: readonly string[];
    }[]
  ).flatMap(({ names }) => names.map(name => `--${name}`)),
);
const OPTION = /(?<![\w-])--[a-z][a-z-]*[a-z](?![a-z-]*…)/g;
const LIVE_BLOCK = /<!-- live output: [^\n]* -->\n```console\n([\s\S]*?)\n```/g;

const readPage = (page: string): string => readFileSync(join(root, page), 'utf8');

/** Options in the help of each command. */
const options = new Map<string, ReadonlySet<string>>();

beforeAll(async () => {
  for (const command of COMMANDS) {
    const { stdout } = await runServelens([...command.split(' '), '--help', 'all']);
    options.set(command, new Set(stdout.match(OPTION)));
  }
}, 120_000);

test('command output on recorded runs is current; update it with npm run docs', { timeout: 300_000 }, () => {
  const script = join(root, 'scripts', 'updateDocs.mjs');
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' });
  expect(status, `${stdout}${stderr}`).toBe(0);
});

describe.each(PAGES)('%s', page => {
  test('mentions only existing options', () => {
    const existingOptions = new Set([...options.values()].flatMap(names => [...names]));
    const text = readPage(page)
      .replace(/^.*npm run .*$/gm, '')
      // Options after -- belong to the command that servelens collect runs.
      .replace(/ -- .*$/gm, '');
    const unknownOptions = splitSections(text).flatMap(section => {
      const isOnAiperf = page === 'docs/coming-from-aiperf.md' || /^#.*AIPerf/.test(section);
      return [...new Set(section.match(OPTION))].filter(
        name =>
          !existingOptions.has(name) && !OTHER_OPTIONS.has(name) && !(isOnAiperf && AIPERF_OPTIONS.has(name)),
      );
    });
    expect(unknownOptions).toEqual([]);
  });

  test('contains only valid command lines', () => {
    const invalid = listCommandLines(readPage(page)).filter(line => !isValidCommandLine(line));
    expect(invalid).toEqual([]);
  });

  test('contains no live output with words that the sources do not contain', () => {
    const sourceWords = readWords();
    const blocks = [...readPage(page).matchAll(LIVE_BLOCK)].map(match => match[1]!);
    for (const block of blocks) {
      const words = block.replace(/^\$ .*(?:\n {4}.*)*$/gm, '').match(/[A-Za-z]{4,}/g) ?? [];
      expect(words.filter(word => !sourceWords.has(word))).toEqual([]);
    }
  });
});

/** Splits a page before each heading. */
function splitSections(text: string): string[] {
  return text.split(/^(?=#+ )/m);
}

/**
 * Returns the servelens command lines in code blocks, with continued lines joined. In console blocks, they
 * start with "$ ".
 */
function listCommandLines(text: string): string[] {
  return [...text.matchAll(/^```(sh|console)\n([\s\S]*?)^```/gm)].flatMap(([, language, block = '']) => {
    const lines = block.replaceAll(/\\\n\s*/g, '').split('\n');
    const commands =
      language === 'sh'
        ? lines
        : lines.filter(line => line.startsWith('$ ')).map(line => line.slice('$ '.length));
    return commands.flatMap(line => /^(?:\w+=\w+ )?servelens ([^…]*)$/.exec(line)?.[1] ?? []);
  });
}

/** Reports whether the command of a command line exists and supports the options. */
function isValidCommandLine(line: string): boolean {
  const command = COMMANDS.find(name => line === name || line.startsWith(`${name} `));
  if (command === undefined) return false;
  // Removes quoted text, pipes, and the command that servelens collect runs.
  const words = line.replace(/'[^']*'|"[^"]*"?/g, '').replace(/ (?:--|\|) .*$/, '');
  return (words.match(OPTION) ?? []).every(name => options.get(command)!.has(name));
}

/** Returns all words in the sources and in the input files of the examples. */
function readWords(): ReadonlySet<string> {
  const sources = readWorkspaces().flatMap(workspace => readSources(workspace).map(({ text }) => text));
  const files = readdirSync(join(root, 'docs/runs/files'), { withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(({ name }) => readFileSync(join(root, 'docs/runs/files', name), 'utf8'));
  return new Set([...sources, ...files].flatMap(text => text.match(/[A-Za-z]{4,}/g) ?? []));
}
