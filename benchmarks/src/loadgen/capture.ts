import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env } from 'node:process';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

/** Debian's tcpdump; another by SERVELENS_TCPDUMP. */
const TCPDUMP = env.SERVELENS_TCPDUMP ?? 'tcpdump';
/** What the kernel holds until tcpdump has its turn, KiB. */
const BUFFER_KIB = 1 << 17;
const SETTLED_MS = 1000;

/**
 * Does some work, and captures meanwhile what goes to and from a port of the loopback device, with the kernel's own times: a witness
 * that is neither client nor server. Without a capture, and with a word on stderr, when there is no tcpdump or it may not capture.
 * Throws when the capture has gaps.
 */
export async function captured<T>(port: number, work: () => Promise<T>): Promise<[T, Buffer | undefined]> {
  const folder = mkdtempSync(join(tmpdir(), 'servelens-wire-'));
  const file = join(folder, 'lo.pcap');
  const said: string[] = [];
  const child = start(port, file);
  try {
    if (!(await isListening(child, said))) {
      console.error(`the wire is no witness: ${said.join(' ') || `there is no ${TCPDUMP}`};`);
      console.error('apt-get install tcpdump, and run as root (SERVELENS_TCPDUMP names another binary)');
      return [await work(), undefined];
    }
    const result = await work();
    await settled(file);
    await stopped(child, said);
    return [result, readFileSync(file)];
  } finally {
    child.kill();
    rmSync(folder, { recursive: true });
  }
}

function start(port: number, file: string): ChildProcess {
  // What has no payload and does not begin a connection are acknowledgements.
  const length = 'ip[2:2] - ((ip[0] & 15) << 2) - ((tcp[12] & 240) >> 2)';
  const filter = `tcp port ${port} and (tcp[tcpflags] & tcp-syn != 0 or ${length} > 0)`;
  const form = ['--time-stamp-precision=nano', '-s', '0', '-U', '-w', file];
  const args = ['-i', 'lo', '-n', '-B', String(BUFFER_KIB), ...form, filter];
  // At normal priority: it must not take the processor from those that it watches when these have a higher one.
  return spawn('chrt', ['-o', '0', TCPDUMP, ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
}

function isListening(child: ChildProcess, said: string[]): Promise<boolean> {
  return new Promise(resolve => {
    createInterface({ input: child.stderr! }).on('line', line => {
      said.push(line);
      if (line.includes('listening on')) resolve(true);
    });
    child.once('error', () => resolve(false));
    child.once('close', () => resolve(false));
  });
}

/** Resolves when nothing more is written: what the kernel still holds when tcpdump ends is lost. */
async function settled(file: string): Promise<void> {
  for (let size = -1, now = 0; now !== size; now = statSync(file).size) {
    size = now;
    await sleep(SETTLED_MS);
  }
}

async function stopped(child: ChildProcess, said: readonly string[]): Promise<void> {
  child.kill('SIGINT');
  await once(child, 'close');
  const dropped = said.find(line => line.includes('dropped by kernel'));
  if (dropped?.startsWith('0 ') !== true) throw new Error(`the capture has gaps: ${said.join('; ')}`);
}
