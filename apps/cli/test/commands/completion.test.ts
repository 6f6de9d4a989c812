import { execFileSync } from 'node:child_process';
import { loadCommandTree } from '@org/terminal/shell';
import { expect, test } from 'vitest';
import { PROGRAM } from '../../src/main.ts';
import { runServelens } from '../support/servelens.ts';
import { makeTestFolder } from '../support/temporaryFolder.ts';

/** Prints what bash proposes after each path of a command and two dashes. */
const PROPOSE = `
for path in "$@"; do
  COMP_WORDS=(servelens $path --); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
  _servelens
  echo "\${COMPREPLY[*]}"
done`;

test('bash completes all options of all commands', async () => {
  const { code, out } = await runServelens(['completion', 'bash'], { cwd: makeTestFolder() });
  expect(code).toBe(0);
  const nodes = await loadCommandTree(PROGRAM);
  const paths = nodes.map(({ path }) => path);
  const args = ['--norc', '-c', `${out}${PROPOSE}`, 'bash', ...paths];
  const lines = execFileSync('bash', args, { encoding: 'utf8' }).split('\n');
  for (const [index, { path, command }] of nodes.entries()) {
    const options = (command?.optionGroups ?? []).flatMap(group => Object.keys(group.options));
    const proposed = lines[index]!.split(' ');
    expect(proposed, path).toEqual(expect.arrayContaining([...options, 'help'].map(name => `--${name}`)));
  }
  expect(paths).toContain('read summary');
});

test('an unknown shell is refused with the shells that are supported', async () => {
  const { code, err } = await runServelens(['completion', 'fish'], { cwd: makeTestFolder() });
  expect(code).toBe(2);
  expect(err).toBe('servelens: invalid SHELL "fish": expected one of bash, zsh\n');
});

test('the manual page has a section for each command', async () => {
  const { code, out } = await runServelens(['man'], { cwd: makeTestFolder() });
  expect(code).toBe(0);
  for (const { path, command } of await loadCommandTree(PROGRAM))
    if (command) expect(out).toContain(`.SH SERVELENS ${path.toUpperCase().replaceAll('-', '\\-')}\n`);
});
