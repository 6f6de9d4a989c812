import { cpSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runOrThrow } from '../support/command.ts';
import { extractDebianPackage, findDebianVersion } from '../support/debian.ts';
import { installOnce } from '../support/installation.ts';
import type { Peer } from '../support/peer.ts';

const SOURCE = join(import.meta.dirname, 'server');
const FILES = ['go.mod', 'main.go'];
const ETCD_PACKAGE = 'etcd-server';

const DOWNLOAD_TIMEOUT_MS = 300_000;
const BUILD_TIMEOUT_MS = 7_200_000;

/** The API server of Kubernetes, built from its Go modules in about five minutes of CPU time, and Debian's etcd. */
export const kubernetes: Peer = {
  name: 'kubernetes',
  isInMatrix: false,
  install: async () => {
    await runOrThrow('go', ['version']);
    const version = await findDebianVersion(ETCD_PACKAGE);
    const sources = FILES.map(name => readFileSync(join(SOURCE, name), 'utf8'));
    return installOnce({
      name: 'kubernetes',
      pins: `${ETCD_PACKAGE}=${version}\n${sources.join('\n')}`,
      install: async folder => {
        await extractDebianPackage(ETCD_PACKAGE, version, folder, DOWNLOAD_TIMEOUT_MS);
        await buildServer(folder);
      },
    });
  },
};

/** Builds the server with the versions in go.mod. The sources are copied, because Go adds checksums to their folder. */
async function buildServer(folder: string): Promise<void> {
  const build = join(folder, 'build');
  mkdirSync(build);
  for (const name of FILES) cpSync(join(SOURCE, name), join(build, name));
  const output = join(folder, 'kube-apiserver');
  await runOrThrow('nice', ['go', 'build', '-mod=mod', '-ldflags=-s -w', '-o', output, '.'], {
    cwd: build,
    env: { GOFLAGS: '' },
    timeoutMs: BUILD_TIMEOUT_MS,
  });
  rmSync(build, { recursive: true });
}
