import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env } from 'node:process';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

/** Path of tcpdump; the environment variable SERVELENS_TCPDUMP overrides the default. */
const TCPDUMP = env.SERVELENS_TCPDUMP ?? 'tcpdump';
/** Size of the kernel's capture buffer, in KiB. */
const BUFFER_KIB = 1 << 17;
/** The capture is complete if its file has not grown for this time, in milliseconds. */
const QUIET_MS = 1000;

/**
 * Runs `work`, and meanwhile captures the packets of a port on the loopback device, with the kernel's
 * timestamps. Returns the result of `work` and the capture file. If tcpdump is missing or not permitted to
 * capture, prints a note to stderr and returns undefined as the capture. Throws if packets were dropped.
 */
export async function capturePackets<T>(
  port: number,
  work: () => Promise<T>,
): Promise<[T, Buffer | undefined]> {
  const folder = mkdtempSync(join(tmpdir(), 'servelens-wire-'));
  const file = join(folder, 'lo.pcap');
  const messages: string[] = [];
  const child = startCapture(port, file);
  try {
    if (!(await waitUntilListening(child, messages))) {
      console.error(
        `skipping the comparison with captured packets: ${messages.join(' ') || `${TCPDUMP} not found`};`,
      );
      console.error('install tcpdump (or set SERVELENS_TCPDUMP) and run as root');
      return [await work(), undefined];
    }
    const result = await work();
    await waitUntilWritten(file);
    await stopCapture(child, messages);
    return [result, readFileSync(file)];
  } finally {
    child.kill();
    rmSync(folder, { recursive: true });
  }
}

function startCapture(port: number, file: string): ChildProcess {
  // Excludes pure acknowledgements: packets that have no payload and do not open a connection.
  const length = 'ip[2:2] - ((ip[0] & 15) << 2) - ((tcp[12] & 240) >> 2)';
  const filter = `tcp port ${port} and (tcp[tcpflags] & tcp-syn != 0 or ${length} > 0)`;
  const outputOptions = ['--time-stamp-precision=nano', '-s', '0', '-U', '-w', file];
  const args = ['-i', 'lo', '-n', '-B', String(BUFFER_KIB), ...outputOptions, filter];
  // Runs at normal priority, so that it does not preempt measured processes that have a higher priority.
  return spawn('chrt', ['-o', '0', TCPDUMP, ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
}

function waitUntilListening(child: ChildProcess, messages: string[]): Promise<boolean> {
  return new Promise(resolve => {
    createInterface({ input: child.stderr! }).on('line', line => {
      messages.push(line);
      if (line.includes('listening on')) resolve(true);
    });
    child.once('error', () => resolve(false));
    child.once('close', () => resolve(false));
  });
}

/**
 * Waits until the file stops growing, because packets that are still in the kernel's buffer are lost when
 * tcpdump exits.
 */
async function waitUntilWritten(file: string): Promise<void> {
  for (let size = -1, currentSize = 0; currentSize !== size; currentSize = statSync(file).size) {
    size = currentSize;
    await sleep(QUIET_MS);
  }
}

async function stopCapture(child: ChildProcess, messages: readonly string[]): Promise<void> {
  child.kill('SIGINT');
  await once(child, 'close');
  const dropped = messages.find(line => line.includes('dropped by kernel'));
  if (dropped?.startsWith('0 ') !== true) throw new Error(`packets were dropped: ${messages.join('; ')}`);
}
