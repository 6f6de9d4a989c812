import type { Pod } from '../../../src/sources/kubernetes/objects.ts';

/** Properties of a pod that differ from the defaults. */
export interface PodProperties {
  readonly name?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly containers?: Pod['spec']['containers'];
  readonly ip?: string;
  readonly phase?: string;
  readonly version?: string;
}

/** Creates a running vLLM pod with the port 8000. */
export function createPod({
  name = 'vllm-0',
  labels = {},
  annotations = {},
  containers = [{ name: 'server', image: 'vllm/vllm-openai:v0.11', ports: [{ containerPort: 8000 }] }],
  ip = '10.0.0.1',
  phase = 'Running',
  version = '1',
}: PodProperties = {}): Pod {
  return {
    metadata: { name, namespace: 'llm', uid: `uid-${name}`, labels, annotations, resourceVersion: version },
    spec: { nodeName: 'node-1', containers },
    status: { phase, podIP: ip },
  };
}
