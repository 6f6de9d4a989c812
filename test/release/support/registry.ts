import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename } from 'node:path';

/** An npm registry on this machine with packages that are not published. */
export interface LocalRegistry {
  readonly url: string;
  close(): void;
}

/** A packed package: its tarball and package.json. */
export interface PackedPackage {
  readonly tarball: string;
  readonly manifest: {
    readonly name: string;
    readonly version: string;
    readonly exports?: Readonly<Record<string, string | { readonly default: string }>>;
  };
}

/** Reads the package.json of a tarball. */
export function readPackedPackage(tarball: string): PackedPackage {
  const text = execFileSync('tar', ['-xzOf', tarball, 'package/package.json'], { encoding: 'utf8' });
  return { tarball, manifest: JSON.parse(text) };
}

/** Starts a registry with the given packages. */
export async function startRegistry(packages: readonly PackedPackage[]): Promise<LocalRegistry> {
  const server: Server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '').slice(1);
    const packed = packages.find(
      ({ manifest, tarball }) => manifest.name === path || path === `tarballs/${basename(tarball)}`,
    );
    if (!packed) response.writeHead(404).end('{}');
    else if (path.startsWith('tarballs/')) response.end(readFileSync(packed.tarball));
    else response.end(JSON.stringify(describePackage(packed, url)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, close: () => server.close() };
}

function describePackage({ tarball, manifest }: PackedPackage, url: string): object {
  const { name, version } = manifest;
  const integrity = `sha512-${createHash('sha512').update(readFileSync(tarball)).digest('base64')}`;
  const dist = { tarball: `${url}/tarballs/${basename(tarball)}`, integrity };
  return { name, 'dist-tags': { latest: version }, versions: { [version]: { ...manifest, dist } } };
}
