import { extractDebianPackage, findDebianVersion } from '../support/debian.ts';
import { installOnce } from '../support/installation.ts';
import type { Peer } from '../support/peer.ts';

const PACKAGE = 'prometheus';

const INSTALL_TIMEOUT_MS = 120_000;

/** Debian's Prometheus, without its service. Debian keeps only the latest version, so that none is pinned. */
export const prometheus: Peer = {
  name: 'prometheus',
  isInMatrix: false,
  install: async () => {
    const version = await findDebianVersion(PACKAGE);
    return installOnce({
      name: 'prometheus',
      pins: `${PACKAGE}=${version}\n`,
      install: folder => extractDebianPackage(PACKAGE, version, folder, INSTALL_TIMEOUT_MS),
    });
  },
};
