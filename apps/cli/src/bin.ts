import { getProcessIo } from '@org/terminal/program';
import { ignoreOutputErrors } from './process/lostOutput.ts';
import { limitYoungHeap } from './process/youngHeap.ts';

const isStdoutLost = ignoreOutputErrors(process);
const argv = process.argv.slice(2);
// The result of a run is its exports, so a summary that cannot be printed is not a failure.
const isRun = argv[0] === 'collect' || argv[0] === 'profile';
process.once('exit', code => {
  if (code === 0 && !isRun && isStdoutLost()) process.exitCode = 1;
});
// Loading the program would already grow the heap, so this comes before the import.
if (argv[0] === 'collect') limitYoungHeap();
const { main } = await import('./main.ts');
process.exitCode = await main(argv, getProcessIo());
