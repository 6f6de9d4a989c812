/** Entry point of the `servelens` command. */
import { runProcess } from './process/runProcess.ts';

await runProcess();
