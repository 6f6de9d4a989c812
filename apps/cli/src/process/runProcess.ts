import { getProcessIo } from '@org/terminal/program';
import { ignoreOutputErrors } from './lostOutput.ts';
import { limitYoungHeap } from './youngHeap.ts';

/** Runs `servelens` with the arguments of this process, and sets the exit code of this process. */
export async function runProcess(): Promise<void> {
  const isStdoutLost = ignoreOutputErrors(process);
  const argv = process.argv.slice(2);
  // The exports are the result of a run, so an error on stdout does not change the exit code of these commands.
  const isRun = argv[0] === 'collect' || argv[0] === 'profile';
  process.once('exit', code => {
    if (code === 0 && !isRun && isStdoutLost()) process.exitCode = 1;
  });
  // Must run before the import below, because loading the program grows the heap.
  if (argv[0] === 'collect') limitYoungHeap();
  const { main } = await import('../main.ts');
  process.exitCode = await main(argv, getProcessIo());
}
