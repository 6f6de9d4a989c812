/** The entry point of `servelens-reader`. */

import { getProcessIo } from '@org/terminal/program';
import { readerMain } from './main.ts';

// If stdout is a pipe that its reader, such as `head`, closes early, the process exits without an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

process.exitCode = await readerMain(process.argv.slice(2), getProcessIo());
