import { expect, test } from 'vitest';
import { flag } from '../../src/program/option.ts';
import { runProgram } from '../../src/program/runProgram.ts';
import { addSharedOptions } from '../../src/program/sharedOptions.ts';
import { loadCommandTree } from '../../src/shell/commandTree.ts';
import { copyCommand, createTestIo, sampleProgram, watchCommand } from './sampleProgram.ts';

const quiet = flag('Print less', { aliases: ['q'] });
const program = { ...sampleProgram, sharedOptions: { quiet } };

test('adds options to the last group, unless the command declares them', () => {
  const { optionGroups } = addSharedOptions(watchCommand, { quiet });
  expect(optionGroups.at(-1)!.options).toEqual({ ...watchCommand.optionGroups.at(-1)!.options, quiet });
  expect(addSharedOptions(copyCommand, { quiet })).toBe(copyCommand);
  expect(addSharedOptions({ ...watchCommand, optionGroups: [] }, { quiet }).optionGroups).toEqual([
    { title: 'Options', options: { quiet } },
  ]);
});

test('all commands of a program and of its nested programs have them', async () => {
  const nodes = await loadCommandTree(program);
  for (const { path, command } of nodes)
    if (command)
      expect(
        command.optionGroups.flatMap(({ options }) => Object.keys(options)),
        path,
      ).toContain('quiet');
  const io = createTestIo();
  expect(await runProgram(program, ['watch', '-q', '--', 'sleep', '1'], io)).toBe(0);
  expect(io.err()).toBe('');
});
