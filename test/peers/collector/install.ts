import { join } from 'node:path';
import { buildGoProgram, type GoProgram, readGoSources } from '../support/goProgram.ts';
import { installOnce } from '../support/installation.ts';
import type { Peer } from '../support/peer.ts';

const COLLECTOR: GoProgram = {
  source: join(import.meta.dirname, 'server'),
  files: ['go.mod', 'main.go'],
};

/**
 * An OpenTelemetry collector of the receiver `otlp` and the exporter `file`, built from its Go modules in about two minutes of
 * CPU time.
 */
export const collector: Peer = {
  name: 'collector',
  isInMatrix: false,
  install: async () =>
    installOnce({
      name: 'collector',
      pins: await readGoSources(COLLECTOR),
      install: folder => buildGoProgram(COLLECTOR, folder, 'collector'),
    }),
};
