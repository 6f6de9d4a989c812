import { processIo } from './io.ts';
import { main } from './main.ts';

// Whoever reads our output may stop, as `head` does: that is no error, and the run goes on.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

process.exitCode = await main(process.argv.slice(2), processIo());
