import { afterAll, beforeAll, expect, test } from 'vitest';
import { runServelens } from '../../servelens.ts';
import { describePeer } from '../support/peer.ts';
import { type ApiResponse, KubernetesServer } from './apiServer.ts';
import { NAMESPACE, NamespaceObjects } from './namespaceObjects.ts';

/** Paths of the kinds of objects that `servelens kube manifest` prints. */
const PATHS: Readonly<Record<string, string>> = {
  ServiceAccount: `/api/v1/namespaces/${NAMESPACE}/serviceaccounts`,
  Role: `/apis/rbac.authorization.k8s.io/v1/namespaces/${NAMESPACE}/roles`,
  RoleBinding: `/apis/rbac.authorization.k8s.io/v1/namespaces/${NAMESPACE}/rolebindings`,
  ConfigMap: `/api/v1/namespaces/${NAMESPACE}/configmaps`,
  Job: `/apis/batch/v1/namespaces/${NAMESPACE}/jobs`,
};

describePeer('kubernetes', 'The job of a load with the API server of Kubernetes', peer => {
  let server: KubernetesServer;

  beforeAll(async () => {
    server = await KubernetesServer.start(peer);
    await new NamespaceObjects(server).create();
  });

  afterAll(() => server?.stop());

  /** Applies a document in a dry run with strict validation: unknown fields are errors. */
  async function dryRun(document: string): Promise<ApiResponse> {
    const [, kind = ''] = /^kind: (\w+)$/m.exec(document) ?? [];
    const [, name = ''] = /^ {2}name: ([\w-]+)$/m.exec(document) ?? [];
    const query = 'fieldManager=test&dryRun=All&fieldValidation=Strict';
    return server.request(`${PATHS[kind]}/${name}?${query}`, {
      method: 'PATCH',
      body: document,
      contentType: 'application/apply-patch+yaml',
    });
  }

  async function printManifest(...words: readonly string[]): Promise<string[]> {
    const { code, stdout, stderr } = await runServelens(['kube', 'manifest', ...words]);
    expect(stderr).not.toContain('servelens kube');
    expect(code).toBe(0);
    return stdout.split(/^---$/m).filter(document => document.includes('kind: '));
  }

  const JOB = ['--image', 'servelens:1', '--shards', '4', '--volume-claim', 'runs', '--namespace', NAMESPACE];
  const LOAD = [
    '--',
    '-m',
    'm',
    '--url',
    'http://vllm:8000',
    '--request-rate',
    '400',
    '--benchmark-duration',
    '60',
  ];

  test('the server accepts every object', async () => {
    const documents = await printManifest(...JOB, '--secret', 'keys', ...LOAD);
    const kinds = documents.map(document => /^kind: (\w+)$/m.exec(document)?.[1]);
    expect(kinds).toEqual(Object.keys(PATHS));
    for (const document of documents) {
      const { status, body } = await dryRun(document);
      expect([200, 201], JSON.stringify(body)).toContain(status);
    }
  });

  test('the dry run finds fields that do not exist', async () => {
    const documents = await printManifest(...JOB, ...LOAD);
    const job = documents.find(document => document.includes('kind: Job'))!;
    const { status, body } = await dryRun(job.replace('completions:', 'completion:'));
    expect(status).toBeGreaterThanOrEqual(400);
    expect(JSON.stringify(body)).toContain('completion');
  });
});
