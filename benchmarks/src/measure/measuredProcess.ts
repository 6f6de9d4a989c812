import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

/** Result and resource usage of a child process. */
export interface ProcessResult {
  readonly code: number | null;
  readonly stdout: string;
  /** Error messages, with a usage report at the end. */
  readonly stderr: string;
  /** Elapsed time from start to exit, in seconds. */
  readonly seconds: number;
  /** Peak memory in MB (2^20 bytes): VmHWM on Linux, the maximum resident set size elsewhere. */
  readonly peakMb: number;
  /** CPU time of all threads, in seconds. */
  readonly cpuSeconds: number;
  /** CPU time of the main thread, in seconds; undefined if the platform or the program does not report it. */
  readonly mainCpuSeconds?: number;
}

/** Resource usage that a child process prints to stderr on exit. */
export interface UsageReport {
  readonly peakMb: number;
  readonly cpuSeconds: number;
  readonly mainCpuSeconds?: number;
}

/**
 * Code preloaded into Node child processes, which prints on exit: the peak memory in KiB, and the CPU time of all threads
 * and, on Linux, of the main thread in seconds. Linux counts the time of a thread in ticks of 10 ms.
 */
const NODE_REPORT = `
import { readFileSync } from 'node:fs';
process.on('exit', () => {
  let peak = process.resourceUsage().maxRSS;
  try { peak = /VmHWM:\\s*(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]; } catch {}
  const { user, system } = process.cpuUsage();
  let main = '';
  try {
    const stat = readFileSync('/proc/self/task/' + process.pid + '/stat', 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    main = ' main ' + (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {}
  process.stderr.write('\\npeak ' + peak + ' cpu ' + (user + system) / 1e6 + main + '\\n');
});`;

/** Code that prints the same report in Python child processes. */
const PYTHON_REPORT = `
import atexit, resource, sys
def report():
    used = resource.getrusage(resource.RUSAGE_SELF)
    print("\\npeak", used.ru_maxrss, "cpu", used.ru_utime + used.ru_stime, file=sys.stderr)
atexit.register(report)
`;

/** Runs Node with `args` and measures the process. `env` is added to its environment. */
export async function runNode(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<ProcessResult> {
  const report = `data:text/javascript,${encodeURIComponent(NODE_REPORT)}`;
  return await run(process.execPath, ['--import', report, ...args], env);
}

/**
 * Runs a Python program with `args` and measures the process. The environment variable SERVELENS_PYTHON
 * overrides the interpreter `python3`.
 */
export async function runPython(program: string, args: readonly string[]): Promise<ProcessResult> {
  return await run(process.env.SERVELENS_PYTHON ?? 'python3', ['-c', PYTHON_REPORT + program, ...args]);
}

/** Parses the usage report at the end of stderr. Returns undefined if it is missing. */
export function parseUsageReport(stderr: string): UsageReport | undefined {
  const match = /\npeak (\d+) cpu ([\d.e-]+)(?: main ([\d.e-]+))?\s*$/.exec(stderr);
  if (!match) return undefined;
  const [, peak, cpu, main] = match;
  return {
    peakMb: Number(peak) / 1024,
    cpuSeconds: Number(cpu),
    ...(main === undefined ? {} : { mainCpuSeconds: Number(main) }),
  };
}

async function run(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<ProcessResult> {
  const start = performance.now();
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } });
  const ended = new Promise<number | null>((resolve, reject) =>
    child.on('close', resolve).on('error', reject),
  );
  const [code, stdout, stderr] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  const usage = parseUsageReport(stderr);
  if (!usage)
    throw new Error(`${command} ${args.at(-1)} exited with code ${code} without a usage report: ${stderr}`);
  return { code, stdout, stderr, seconds: (performance.now() - start) / 1000, ...usage };
}
