/** The parts of Kubernetes objects that discovery reads: https://kubernetes.io/docs/reference/kubernetes-api/ */

export interface Metadata {
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly resourceVersion?: string;
}

export interface KubernetesObject {
  readonly metadata: Metadata;
}

export interface ContainerPort {
  readonly name?: string;
  readonly containerPort: number;
  readonly protocol?: string;
}

export interface Container {
  readonly name: string;
  readonly image?: string;
  readonly ports?: readonly ContainerPort[];
}

export interface Pod extends KubernetesObject {
  readonly spec: { readonly nodeName?: string; readonly containers: readonly Container[] };
  readonly status?: { readonly phase?: string; readonly podIP?: string };
}

export interface ServicePort {
  readonly name?: string;
  readonly port: number;
  readonly targetPort?: number | string;
}

export interface Service extends KubernetesObject {
  readonly spec?: {
    readonly selector?: Readonly<Record<string, string>>;
    readonly ports?: readonly ServicePort[];
  };
}

export interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: string;
    readonly values?: readonly string[];
  }[];
}

/** An endpoint of a PodMonitor or ServiceMonitor: https://prometheus-operator.dev/docs/api-reference/api/ */
export interface MonitorEndpoint {
  readonly port?: string;
  readonly portNumber?: number;
  readonly targetPort?: number | string;
  readonly path?: string;
  readonly scheme?: string;
  readonly params?: Readonly<Record<string, readonly string[]>>;
}

export interface Monitor extends KubernetesObject {
  readonly spec: {
    readonly selector?: LabelSelector;
    readonly namespaceSelector?: { readonly any?: boolean; readonly matchNames?: readonly string[] };
    readonly podMetricsEndpoints?: readonly MonitorEndpoint[];
    readonly endpoints?: readonly MonitorEndpoint[];
  };
}
