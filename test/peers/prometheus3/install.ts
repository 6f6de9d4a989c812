import { join } from 'node:path';
import { buildGoProgram, type GoProgram, readGoSources } from '../support/goProgram.ts';
import { installOnce } from '../support/installation.ts';
import type { Peer } from '../support/peer.ts';

/** Prometheus without its pages and without service discovery. */
const PROMETHEUS: GoProgram = {
  source: join(import.meta.dirname, 'server'),
  files: ['go.mod'],
  package: 'github.com/prometheus/prometheus/cmd/prometheus',
  tags: 'remove_all_sd,netgo',
};

/** Prometheus 3, built from its Go modules in about three minutes of CPU time. */
export const prometheus3: Peer = {
  name: 'prometheus3',
  isInMatrix: false,
  install: async () =>
    installOnce({
      name: 'prometheus3',
      pins: `${PROMETHEUS.tags}\n${await readGoSources(PROMETHEUS)}`,
      install: folder => buildGoProgram(PROMETHEUS, folder, 'prometheus'),
    }),
};
