import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { installOnce } from '../support/installation.ts';
import type { Peer } from '../support/peer.ts';
import { findPython, installRequirements } from '../support/python.ts';

/** AIPerf, its dependencies, and the Python libraries that read exports, each with its version. */
const REQUIREMENTS = join(import.meta.dirname, 'requirements.txt');

const INSTALL_TIMEOUT_MS = 180_000;

/** AIPerf 0.13.0 in a virtual environment with pandas, pyarrow, Polars, DuckDB and fastparquet. */
export const aiperf: Peer = {
  name: 'aiperf',
  isInMatrix: true,
  install: () =>
    installOnce({
      name: 'aiperf',
      pins: readFileSync(REQUIREMENTS, 'utf8'),
      install: folder => {
        const python = findPython({ min: [3, 11], max: [3, 13] });
        return installRequirements(python, folder, REQUIREMENTS, INSTALL_TIMEOUT_MS);
      },
    }),
};
