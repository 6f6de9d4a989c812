import type { RequestOptions as HttpsOptions } from 'node:https';
import { createSecureContext } from 'node:tls';
import { KubeConfig } from '@kubernetes/client-node';
import { describeSystemError, redactUrl } from '@org/core';
import type { Access, Authorization } from '@org/scrape';
import { SourceError } from '../sourceError.ts';

export interface ClusterOptions {
  /** Path of a kubeconfig file. By default, $KUBECONFIG, ~/.kube/config or the service account of the pod. */
  readonly kubeconfig?: string;
  readonly context?: string;
  /** True to use only the service account of the pod. */
  readonly isInCluster?: boolean;
  /** Folder that contains the files of the service account; the root by default. */
  readonly root?: string;
}

/** The server that the client assumes if there is no configuration. */
const DEFAULT_SERVER = 'http://localhost:8080';

/** A cluster with the credentials for its API. */
export class Cluster {
  readonly #config: KubeConfig;
  /** URL of the API server. */
  readonly server: string;
  /** The namespace of the context or of the service account. */
  readonly namespace: string | undefined;
  /** Name of the user in the configuration. */
  readonly user: string;

  constructor(config: KubeConfig) {
    const cluster = config.getCurrentCluster();
    if (!cluster) throw new SourceError('the kubeconfig has no cluster for its context; check --kubeconfig');
    this.#config = config;
    this.server = cluster.server.replace(/\/+$/, '');
    this.user = config.getCurrentUser()?.name ?? '';
    this.namespace = config.getContextObject(config.getCurrentContext())?.namespace?.trim() || undefined;
  }

  /** Returns the options of a request, with credentials. Throws `SourceError` if they cannot be obtained. */
  async createRequestOptions(): Promise<HttpsOptions> {
    const options: HttpsOptions = {};
    try {
      await this.#config.applyToHTTPSOptions(options);
    } catch (error) {
      throw new SourceError(
        `cannot get the credentials of user ${JSON.stringify(this.user)} for ${redactUrl(this.server)}: ${describeCredentialError(error)}`,
      );
    }
    return options;
  }

  /** Returns the value of the Authorization header; undefined without a token or password. */
  async readAuthorization(): Promise<string | undefined> {
    return findAuthorization(await this.createRequestOptions());
  }

  /** Returns the parameters of connections to pods through the proxy of the API server. */
  async createProxyAccess(): Promise<Access> {
    const options = await this.createRequestOptions();
    const { ca, cert, key, rejectUnauthorized } = options;
    const header = findAuthorization(options);
    return {
      ...(header === undefined ? {} : { authorization: new ClusterAuthorization(this, header) }),
      tls: {
        context: createSecureContext({ ...(ca ? { ca } : {}), ...(cert && key ? { cert, key } : {}) }),
        insecure: rejectUnauthorized === false,
      },
    };
  }
}

/** Returns the value of the Authorization header of a request; undefined without a token or password. */
export function findAuthorization({ headers, auth }: HttpsOptions): string | undefined {
  const header = (headers as Readonly<Record<string, string>> | undefined)?.Authorization;
  return header ?? (auth ? `Basic ${Buffer.from(auth, 'utf8').toString('base64')}` : undefined);
}

/** Loads the configuration of a cluster. Throws `SourceError` if there is none, or if it is invalid. */
export function loadCluster({ kubeconfig, context, isInCluster = false, root }: ClusterOptions): Cluster {
  const config = new KubeConfig();
  if (isInCluster) config.loadFromCluster(root);
  else if (kubeconfig !== undefined) loadFile(config, kubeconfig);
  else loadDefault(config);
  if (context !== undefined) selectContext(config, context);
  allowPlainHttp(config);
  return new Cluster(config);
}

/** Accepts servers without TLS, such as `kubectl proxy`. The client refuses them unless verification is skipped. */
function allowPlainHttp(config: KubeConfig): void {
  config.clusters = config.clusters.map(cluster =>
    cluster.server.startsWith('http:') ? { ...cluster, skipTLSVerify: true } : cluster,
  );
}

function loadFile(config: KubeConfig, path: string): void {
  try {
    config.loadFromFile(path);
  } catch (error) {
    throw new SourceError(`cannot read the kubeconfig ${JSON.stringify(path)}: ${describeFileError(error)}`);
  }
}

function loadDefault(config: KubeConfig): void {
  try {
    config.loadFromDefault();
  } catch (error) {
    throw new SourceError(
      `cannot read the kubeconfig: ${describeFileError(error)}; check $KUBECONFIG and ~/.kube/config`,
    );
  }
  if (config.getCurrentCluster()?.server !== DEFAULT_SERVER) return;
  throw new SourceError(
    'there is no configuration of a Kubernetes cluster: no $KUBECONFIG, no ~/.kube/config, and no service account of a pod; set --kubeconfig',
  );
}

function selectContext(config: KubeConfig, context: string): void {
  if (config.getContextObject(context) === null) {
    const names = config.getContexts().map(({ name }) => name);
    throw new SourceError(
      `the kubeconfig has no context ${JSON.stringify(context)}; expected one of ${names.join(', ') || 'none'}`,
    );
  }
  config.setCurrentContext(context);
}

/** Describes why a file cannot be read. Messages of the YAML parser may quote secrets, so they are not shown. */
function describeFileError(error: unknown): string {
  return typeof (error as NodeJS.ErrnoException).code === 'string'
    ? describeSystemError(error)
    : 'it is not a valid kubeconfig';
}

function describeCredentialError(error: unknown): string {
  const text =
    typeof (error as NodeJS.ErrnoException).code === 'string'
      ? describeSystemError(error)
      : 'the command or provider in the kubeconfig failed';
  return `${text}; sign in again, or check the kubeconfig`;
}

/** The credentials of a cluster as an Authorization header, which may change during a run. */
class ClusterAuthorization implements Authorization {
  readonly #cluster: Cluster;
  readonly #secrets: Set<string> = new Set();
  #header: string;

  constructor(cluster: Cluster, header: string) {
    this.#cluster = cluster;
    this.#header = header;
    this.#remember();
  }

  async readHeader(): Promise<string> {
    this.#header = (await this.#cluster.readAuthorization()) ?? this.#header;
    this.#remember();
    return this.#header;
  }

  async renew(): Promise<boolean> {
    const previous = this.#header;
    return (await this.readHeader()) !== previous;
  }

  listSecrets(): readonly string[] {
    return [...this.#secrets];
  }

  #remember(): void {
    this.#secrets.add(this.#header.slice(this.#header.indexOf(' ') + 1));
  }
}
