import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../source.ts';
import type { KubernetesServer } from './apiServer.ts';

/** Paths of the kinds of objects in the manifest. */
const PATHS: Readonly<Record<string, string>> = {
  ServiceAccount: '/api/v1/namespaces/llm/serviceaccounts',
  Role: '/apis/rbac.authorization.k8s.io/v1/namespaces/llm/roles',
  RoleBinding: '/apis/rbac.authorization.k8s.io/v1/namespaces/llm/rolebindings',
};

/** Returns the documents of the manifest in docs/discovery.md. */
export function readManifest(): string[] {
  const page = readFileSync(join(root, 'docs/discovery.md'), 'utf8');
  const [, manifest] = /```yaml\n(apiVersion: v1\nkind: ServiceAccount\n.*?)```/s.exec(page) ?? [];
  if (manifest === undefined) throw new Error('docs/discovery.md contains no manifest');
  return manifest.split('\n---\n');
}

/** Applies documents on the server, as `kubectl apply --server-side` does. */
export async function applyManifest(server: KubernetesServer, documents: readonly string[]): Promise<void> {
  for (const document of documents) {
    const [, kind = ''] = /^kind: (\w+)$/m.exec(document) ?? [];
    const [, name = ''] = /^ {2}name: ([\w-]+)$/m.exec(document) ?? [];
    await server.requestOrThrow(`${PATHS[kind]}/${name}?fieldManager=test`, {
      method: 'PATCH',
      body: document,
      contentType: 'application/apply-patch+yaml',
    });
  }
}
