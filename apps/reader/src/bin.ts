import { getProcessIo } from '@org/terminal/program';
import { readerMain } from './main.ts';

// A program that reads stdout, such as `head`, may close the pipe early. Exit without an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

process.exitCode = await readerMain(process.argv.slice(2), getProcessIo());
