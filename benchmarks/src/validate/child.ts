import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

/** What a process of its own did. */
export interface Child {
  readonly code: number | null;
  readonly stdout: string;
  readonly seconds: number;
  /** The most memory that it held, MB (2^20 bytes): VmHWM of Linux, the maximum of the resident set elsewhere. */
  readonly peakMb: number;
  /** Processor time of all its threads, seconds. */
  readonly cpuSeconds: number;
}

/** Ends what a process prints to stderr with its peak of memory in kB and its processor time in s. */
const REPORT = `
import { readFileSync } from 'node:fs';
process.on('exit', () => {
  let peak = process.resourceUsage().maxRSS;
  try { peak = /VmHWM:\\s*(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]; } catch {}
  const { user, system } = process.cpuUsage();
  process.stderr.write('\\npeak ' + peak + ' cpu ' + (user + system) / 1e6 + '\\n');
});`;

/** Runs Node with a script and arguments, and measures it from outside. */
export async function runNode(args: readonly string[]): Promise<Child> {
  const report = `data:text/javascript,${encodeURIComponent(REPORT)}`;
  return await run(process.execPath, ['--import', report, ...args]);
}

/** Runs Python with a program, which gets the arguments; its peak is that of the resident set. */
export async function runPython(program: string, args: readonly string[]): Promise<Child> {
  const report = `
import atexit, resource, sys
def report():
    used = resource.getrusage(resource.RUSAGE_SELF)
    print("\\npeak", used.ru_maxrss, "cpu", used.ru_utime + used.ru_stime, file=sys.stderr)
atexit.register(report)
`;
  return await run(process.env.SERVELENS_PYTHON ?? 'python3', ['-c', report + program, ...args]);
}

async function run(command: string, args: readonly string[]): Promise<Child> {
  const start = performance.now();
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<number | null>((resolve, reject) =>
    child.on('close', resolve).on('error', reject),
  );
  const [code, stdout, stderr] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  const peak = /\npeak (\d+) cpu ([\d.e-]+)\s*$/.exec(stderr);
  if (!peak)
    throw new Error(`${command} ${args.at(-1)} ended with ${code} and without its peak of memory: ${stderr}`);
  const seconds = (performance.now() - start) / 1000;
  return { code, stdout, seconds, peakMb: Number(peak[1]) / 1024, cpuSeconds: Number(peak[2]) };
}
