import { readerMain } from './main.ts';

// Whoever reads our output may stop, as `head` does: then there is nobody left to answer.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

process.exitCode = await readerMain(process.argv.slice(2), process);
