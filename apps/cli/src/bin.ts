import { keepYoungSmall } from './heap.ts';
import { processIo } from './io.ts';
import { outliveOutputs } from './outputs.ts';

const isStdoutLost = outliveOutputs(process);
const argv = process.argv.slice(2);
// The results of a run are its exports: a summary that nobody could read is no failure of the benchmark.
const isRun = argv[0] === 'collect' || argv[0] === 'profile';
process.once('exit', code => {
  if (code === 0 && !isRun && isStdoutLost()) process.exitCode = 1;
});
// Before anything else is loaded: that alone makes it grow to eight times the size, and there it would stay.
if (argv[0] === 'collect') keepYoungSmall();
const { main } = await import('./main.ts');
process.exitCode = await main(argv, processIo());
