import type { KubernetesServer } from './apiServer.ts';

/** The namespace of the tests. */
export const NAMESPACE = 'llm';
const BASE = `/api/v1/namespaces/${NAMESPACE}`;
const MERGE_PATCH = 'application/merge-patch+json';

/** A pod to create. */
export interface PodSpec {
  readonly name: string;
  readonly image?: string;
  /** Port of the container; 8000 by default. */
  readonly port?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** Creates, changes and deletes the objects of a namespace as the administrator. */
export class NamespaceObjects {
  readonly #server: KubernetesServer;

  constructor(server: KubernetesServer) {
    this.#server = server;
  }

  async create(): Promise<void> {
    const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } };
    await this.#server.requestOrThrow('/api/v1/namespaces', { method: 'POST', body });
  }

  /** Creates a pod on a node that does not exist, so that it stays pending. */
  async createPod({
    name,
    image = 'vllm/vllm-openai:latest',
    port = 8000,
    labels = {},
    annotations = {},
  }: PodSpec): Promise<void> {
    const container = { name: 'server', image, ports: [{ containerPort: port }] };
    const body = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name, labels, annotations },
      spec: { nodeName: 'node-1', containers: [container] },
    };
    await this.#server.requestOrThrow(`${BASE}/pods`, { method: 'POST', body });
  }

  /** Reports a pod as running at an address, as its node would do. */
  async runPod(name: string, ip: string): Promise<void> {
    const body = { status: { phase: 'Running', podIP: ip, podIPs: [{ ip }] } };
    const path = `${BASE}/pods/${name}/status`;
    await this.#server.requestOrThrow(path, { method: 'PATCH', body, contentType: MERGE_PATCH });
  }

  /** Creates a running pod. */
  async startPod(pod: PodSpec, ip: string): Promise<void> {
    await this.createPod(pod);
    await this.runPod(pod.name, ip);
  }

  async deletePod(name: string): Promise<void> {
    await this.#server.requestOrThrow(`${BASE}/pods/${name}?gracePeriodSeconds=0`, { method: 'DELETE' });
  }

  /** Creates a token of a service account. */
  async createToken(account: string): Promise<string> {
    const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} };
    const created = await this.#server.requestOrThrow(`${BASE}/serviceaccounts/${account}/token`, {
      method: 'POST',
      body,
    });
    return (created as { readonly status: { readonly token: string } }).status.token;
  }
}
