// Entry point of the executable: runs the command, or the process that serves the page of a run, which `fork` starts
// with the path of its module.
import { runProcess } from '../../../apps/cli/dist/process/runProcess.js';

const WATCH_MODULE = /[\\/]watchProcess\.js$/;

if (process.channel && WATCH_MODULE.test(process.argv[2] ?? '')) {
  process.argv.splice(2, 1);
  import('../../../apps/cli/dist/watch/watchProcess.js');
} else {
  runProcess();
}
