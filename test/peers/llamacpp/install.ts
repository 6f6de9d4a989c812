import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { installOnce } from '../support/installation.ts';
import type { Peer } from '../support/peer.ts';
import { findPython, installRequirements } from '../support/python.ts';

const REQUIREMENTS = join(import.meta.dirname, 'requirements.txt');

const INSTALL_TIMEOUT_MS = 300_000;

/** The server of llama.cpp and the router of SGLang in a virtual environment. */
export const llamacpp: Peer = {
  name: 'llamacpp',
  isInMatrix: false,
  install: () =>
    installOnce({
      name: 'llamacpp',
      pins: readFileSync(REQUIREMENTS, 'utf8'),
      install: folder => {
        const python = findPython({ min: [3, 11], max: [3, 13] });
        return installRequirements(python, folder, REQUIREMENTS, INSTALL_TIMEOUT_MS);
      },
    }),
};
