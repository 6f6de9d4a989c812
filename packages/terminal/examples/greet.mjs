// Run it with: node examples/greet.mjs wait --help
import { flag, getProcessIo, option, readList, readSeconds, runProgram } from '@org/terminal/program';

/** @type {import('@org/terminal/program').Command} */
const waitCommand = {
  arguments: [{ name: 'names', placeholder: 'NAME', description: 'Names to greet', isList: true }],
  optionGroups: [
    {
      title: 'Options',
      options: {
        delay: option('SECONDS', 'Time in seconds to wait', { aliases: ['d'], default: 1 }),
        quiet: flag('Do not print the time'),
      },
    },
  ],
  examples: [{ command: 'greet wait --delay 0.5 Ada', description: 'Greet Ada after half a second' }],
  exitCodes: [
    ['0', 'success'],
    ['2', 'invalid arguments'],
  ],
  run: async (raw, { io }) => {
    const seconds = readSeconds(raw, 'delay', 0);
    if (raw.quiet !== true) io.stdout.write(`waiting for ${seconds} s\n`);
    await new Promise(resolve => setTimeout(resolve, 1000 * seconds));
    io.stdout.write(`hello, ${readList(raw, 'names').join(' and ')}\n`);
    return 0;
  },
};

/** @type {import('@org/terminal/program').Program} */
const program = {
  name: 'greet',
  description: 'An example of a program with one command.',
  packageFile: new URL('../package.json', import.meta.url),
  // In a larger program, `load` imports the module of the command, so that `greet --help` does not load it.
  commands: [{ name: 'wait', summary: 'Wait, and then greet', load: async () => waitCommand }],
};

process.exitCode = await runProgram(program, process.argv.slice(2), getProcessIo());
