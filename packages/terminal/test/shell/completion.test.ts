import { execFileSync } from 'node:child_process';
import { beforeAll, describe, expect, test } from 'vitest';
import { loadCommandTree, renderBashCompletion, renderZshCompletion } from '../../src/shell.ts';
import { sampleProgram } from '../program/sampleProgram.ts';

/** Words before the cursor, and the words that bash proposes; an empty list leaves the choice of files to bash. */
const CASES: readonly (readonly [line: readonly string[], proposals: readonly string[]])[] = [
  [['co'], ['copy']],
  [
    ['copy', '--m'],
    ['--mode', '--markdown'],
  ],
  [
    ['copy', '--mode', ''],
    ['replace', 'keep'],
  ],
  [['copy', '--mode', '=', 'k'], ['keep']],
  [['copy', '--rate', ''], []],
  [['copy', ''], []],
  [['copy', '--spe'], []],
  [
    ['copy', '--h'],
    ['--header', '--help'],
  ],
  [['--v'], ['--version']],
  [['watch', '--', 'copy', '--m'], []],
];

describe('the completion for bash', () => {
  let script = '';
  beforeAll(async () => {
    script = renderBashCompletion('files', await loadCommandTree(sampleProgram));
  });

  test.each(CASES)('of %j is %j', (line, proposals) => {
    const run = `${script}
compopt() { :; }
COMP_WORDS=(files "$@"); COMP_CWORD=$#
_files
printf '%s\\n' "\${COMPREPLY[@]}"`;
    const output = execFileSync('bash', ['--norc', '-c', run, 'bash', ...line], { encoding: 'utf8' });
    expect(output.split('\n').filter(word => word !== '')).toEqual(proposals);
  });

  test('is registered for the program', () => {
    const output = execFileSync('bash', ['--norc', '-c', `${script}\ncomplete -p files`], {
      encoding: 'utf8',
    });
    expect(output).toContain('-F _files files');
  });
});

test('the completion for zsh contains each command and option with its description, quoted', async () => {
  const script = renderZshCompletion('files', await loadCommandTree(sampleProgram));
  expect(script).toMatch(/^#compdef files\n/);
  expect(script).toContain("'--rate:Maximum rate in megabytes per second'");
  expect(script).toContain("('copy --mode') entries=('replace' 'keep')");
  expect(script).not.toContain('--speed');
});
