/** The entry point of `servelens-reader`. */

import { getProcessIo } from '@org/terminal/program';
import { readerMain } from './main.ts';

// If the reader of a pipe, such as `head`, closes it early, exit without an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

process.exitCode = await readerMain(process.argv.slice(2), getProcessIo());
