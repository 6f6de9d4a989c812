/** Entry point of the `servelens` command. */
import { getProcessIo } from '@org/terminal/program';
import { ignoreOutputErrors } from './process/lostOutput.ts';
import { limitYoungHeap } from './process/youngHeap.ts';

const isStdoutLost = ignoreOutputErrors(process);
const argv = process.argv.slice(2);
// The exports are the result of a run, so an error on stdout does not change the exit code of these commands.
const isRun = argv[0] === 'collect' || argv[0] === 'profile';
process.once('exit', code => {
  if (code === 0 && !isRun && isStdoutLost()) process.exitCode = 1;
});
// Must run before the import below, because loading the program grows the heap.
if (argv[0] === 'collect') limitYoungHeap();
const { main } = await import('./main.ts');
process.exitCode = await main(argv, getProcessIo());
