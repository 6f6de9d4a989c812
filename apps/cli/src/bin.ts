import { keepYoungSmall } from './heap.ts';
import { processIo } from './io.ts';

// Whoever reads our output may stop, as `head` does: that is no error, and the run goes on.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

const argv = process.argv.slice(2);
// Before anything else is loaded: that alone makes it grow to eight times the size, and there it would stay.
if (argv[0] === 'collect') keepYoungSmall();
const { main } = await import('./main.ts');
process.exitCode = await main(argv, processIo());
