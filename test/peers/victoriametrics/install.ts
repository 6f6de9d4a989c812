import { join } from 'node:path';
import { buildGoProgram, type GoProgram, readGoSources } from '../support/goProgram.ts';
import { installOnce } from '../support/installation.ts';
import type { Peer } from '../support/peer.ts';

const VICTORIA_METRICS: GoProgram = {
  source: join(import.meta.dirname, 'server'),
  files: ['go.mod'],
  package: 'github.com/VictoriaMetrics/VictoriaMetrics/app/victoria-metrics',
};

/** A current VictoriaMetrics, built from its Go modules. */
export const victoriametrics: Peer = {
  name: 'victoriametrics',
  isInMatrix: false,
  install: async () =>
    installOnce({
      name: 'victoriametrics',
      pins: await readGoSources(VICTORIA_METRICS),
      install: folder => buildGoProgram(VICTORIA_METRICS, folder, 'victoria-metrics'),
    }),
};
