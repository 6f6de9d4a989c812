import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseCommandLine } from '@org/terminal/parse';
import { expect, test } from 'vitest';
import { profileCommand } from '../../src/commands/profile.ts';
import { readProfileOptions } from '../../src/profile/profileOptions.ts';
import { readProfileRuns } from '../../src/profile/profileRuns.ts';
import { createIo } from '../support/io.ts';
import { splitWords } from '../support/options.ts';
import { makeSuiteFolder } from '../support/temporaryFolder.ts';

const folder = makeSuiteFolder();
writeFileSync(join(folder, 'trace.jsonl'), '{"timestamp": 0, "input_length": 9, "output_length": 2}\n');

test.each(profileCommand.examples!.map(({ command }) => command))('%s is valid', command => {
  const [program, name, ...words] = splitWords(command);
  expect([program, name]).toEqual(['servelens', 'profile']);
  const raw = parseCommandLine(profileCommand, [...words, '--tokenizer', 'builtin'], 'servelens profile');
  const io = createIo(folder);
  const [first] = readProfileRuns(raw, io)?.options ?? [readProfileOptions(raw, io)];
  expect(first?.plan.profiling).toBeDefined();
});
