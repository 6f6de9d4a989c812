import { join } from 'node:path';
import { extractDebianPackage, findDebianVersion } from '../support/debian.ts';
import { buildGoProgram, type GoProgram, readGoSources } from '../support/goProgram.ts';
import { installOnce } from '../support/installation.ts';
import type { Peer } from '../support/peer.ts';

const SERVER: GoProgram = {
  source: join(import.meta.dirname, 'server'),
  files: ['go.mod', 'main.go'],
};
const ETCD_PACKAGE = 'etcd-server';

const DOWNLOAD_TIMEOUT_MS = 300_000;

/** The API server of Kubernetes, built from its Go modules in about five minutes of CPU time, and Debian's etcd. */
export const kubernetes: Peer = {
  name: 'kubernetes',
  isInMatrix: false,
  install: async () => {
    const sources = await readGoSources(SERVER);
    const version = await findDebianVersion(ETCD_PACKAGE);
    return installOnce({
      name: 'kubernetes',
      pins: `${ETCD_PACKAGE}=${version}\n${sources}`,
      install: async folder => {
        await extractDebianPackage(ETCD_PACKAGE, version, folder, DOWNLOAD_TIMEOUT_MS);
        await buildGoProgram(SERVER, folder, 'kube-apiserver');
      },
    });
  },
};
