import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runOrThrow } from '../support/command.ts';
import { installOnce } from '../support/installation.ts';
import type { Peer } from '../support/peer.ts';
import { findPython, installRequirements } from '../support/python.ts';

const REQUIREMENTS = join(import.meta.dirname, 'requirements.txt');

const INSTALL_TIMEOUT_MS = 600_000;

/** Spark in a virtual environment. It needs Java 17 or later. */
export const spark: Peer = {
  name: 'spark',
  isInMatrix: false,
  install: async () => {
    await runOrThrow('java', ['-version']);
    return installOnce({
      name: 'spark',
      pins: readFileSync(REQUIREMENTS, 'utf8'),
      install: folder => {
        const python = findPython({ min: [3, 10], max: [3, 13] });
        return installRequirements(python, folder, REQUIREMENTS, INSTALL_TIMEOUT_MS);
      },
    });
  },
};
