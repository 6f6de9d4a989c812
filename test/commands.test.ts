import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { runServelens } from './servelens.ts';
import { root } from './source.ts';

/** A command as `scripts/commandTables.mjs` lists it. */
interface ListedCommand {
  readonly path: string;
  readonly command: { readonly exitCodes: readonly (readonly [code: string, meaning: string])[] };
}

interface CommandTables {
  readonly listCommands: () => Promise<readonly ListedCommand[]>;
  readonly updateCommandTables: (text: string) => Promise<string>;
}

/** Pages with their own table of exit codes, and the command of the table. */
const PAGES: readonly (readonly [page: string, command: string])[] = [
  ['check.md', 'read check'],
  ['collect.md', 'collect'],
  ['compare.md', 'read compare'],
  ['config.md', 'config check'],
  ['export.md', 'export'],
  ['mark.md', 'mark'],
  ['profile.md', 'profile'],
  ['push.md', 'push'],
  ['sweeps.md', 'profile'],
  ['trend.md', 'read trend'],
  ['validate.md', 'validate'],
  ['watch.md', 'watch'],
];

const readPage = (name: string): string => readFileSync(join(root, 'docs', name), 'utf8');

let tables: CommandTables;
let commands: readonly ListedCommand[];
beforeAll(async () => {
  tables = (await import(new URL('../scripts/commandTables.mjs', import.meta.url).href)) as CommandTables;
  commands = await tables.listCommands();
});

test('docs/commands.md is current; update it with npm run docs', async () => {
  const page = readPage('commands.md');
  expect(await tables.updateCommandTables(page)).toBe(page);
});

test('every command has an exit code for success and one for invalid arguments', () => {
  expect(commands.length).toBeGreaterThan(20);
  for (const { path, command } of commands)
    expect(
      command.exitCodes.map(([code]) => code),
      path,
    ).toEqual(expect.arrayContaining(['0', '2']));
});

test('the help of every command shows its exit codes', { timeout: 240_000 }, async () => {
  for (const { path, command } of commands) {
    const { code, stdout } = await runServelens([...path.split(' '), '--help', 'all']);
    expect(code, path).toBe(0);
    const [, section = ''] = stdout.split('\nExit codes:\n');
    const shown = section.split('\n').flatMap(line => /^ {2}(\d+(?: \+ N)?) {2}/.exec(line)?.[1] ?? []);
    expect(shown, path).toEqual(command.exitCodes.map(([term]) => term));
  }
});

describe('tables of exit codes on the pages of commands', () => {
  test.each(PAGES)('%s has the codes of %s', (page, path) => {
    const [, rows = ''] =
      /\| (?:exit )?code \| meaning \|\n\| --- \| --- \|\n((?:\|.*\n)+)/.exec(readPage(page)) ?? [];
    const codes = [...rows.matchAll(/^\| (\S.*?) \|/gm)].map(match => match[1]);
    const { exitCodes } = commands.find(command => command.path === path)!.command;
    expect(codes).toEqual(exitCodes.map(([code]) => code));
  });
});
