import { type ChildProcess, spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request as requestHttps } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort, type Service, startService } from '../../service.ts';

/** A response of the API. */
export interface ApiResponse {
  readonly status: number;
  readonly body: unknown;
}

export interface ApiRequest {
  readonly method?: string;
  readonly body?: unknown;
  readonly contentType?: string;
  readonly token?: string;
}

const ADMIN_TOKEN = 'admin-token';
const START_TIMEOUT_MS = 300_000;

/** A running API server of Kubernetes with its etcd, on loopback. There is no node, so that pods are only objects. */
export class KubernetesServer {
  readonly url: string;
  /** Folder of its files, among them the key that signs tokens. */
  readonly folder: string;
  readonly #etcd: Service;
  readonly #server: ChildProcess;

  private constructor(url: string, folder: string, etcd: Service, server: ChildProcess) {
    this.url = url;
    this.folder = folder;
    this.#etcd = etcd;
    this.#server = server;
  }

  /** Starts the programs in the folder of the peer. */
  static async start(peer: string): Promise<KubernetesServer> {
    const folder = mkdtempSync(join(tmpdir(), 'kubernetes-'));
    const etcd = await startEtcd(peer, folder);
    writeCredentials(folder);
    const port = await findFreePort();
    const server = spawn(join(peer, 'kube-apiserver'), listArguments(folder, etcd.url, port), {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const kubernetes = new KubernetesServer(`https://127.0.0.1:${port}`, folder, etcd, server);
    await kubernetes.#waitUntilReady();
    return kubernetes;
  }

  async stop(): Promise<void> {
    if (this.#server.exitCode === null && this.#server.signalCode === null) {
      const ended = once(this.#server, 'exit');
      this.#server.kill('SIGKILL');
      await ended;
    }
    await this.#etcd.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Sends a request as the administrator, or with another token. */
  request(path: string, options: ApiRequest = {}): Promise<ApiResponse> {
    const { method = 'GET', body, contentType = 'application/json', token = ADMIN_TOKEN } = options;
    const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
    return new Promise((resolve, reject) => {
      const request = requestHttps(
        this.url + path,
        {
          method,
          rejectUnauthorized: false,
          headers: { authorization: `Bearer ${token}`, 'content-type': contentType },
        },
        async response => {
          let received = '';
          for await (const chunk of response.setEncoding('utf8')) received += chunk;
          resolve({ status: response.statusCode!, body: parse(received) });
        },
      );
      request.on('error', reject).end(text);
    });
  }

  /** Sends a request as the administrator. Throws if it fails. */
  async requestOrThrow(path: string, options: ApiRequest = {}): Promise<unknown> {
    const { status, body } = await this.request(path, options);
    if (status >= 200 && status < 300) return body;
    throw new Error(`${options.method ?? 'GET'} ${path}: ${status} ${JSON.stringify(body)}`);
  }

  /** Writes a kubeconfig with a token. Returns its path. */
  writeKubeconfig(name: string, token: string): string {
    const path = join(this.folder, `${name}.kubeconfig`);
    const cluster = {
      server: this.url,
      'certificate-authority-data': Buffer.from(
        readFileSync(join(this.folder, 'certificates/apiserver.crt')),
      ).toString('base64'),
    };
    const config = {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'local', cluster }],
      users: [{ name, user: { token } }],
      contexts: [{ name: 'local', context: { cluster: 'local', user: name, namespace: 'llm' } }],
      'current-context': 'local',
    };
    writeFileSync(path, JSON.stringify(config));
    return path;
  }

  async #waitUntilReady(): Promise<void> {
    let output = '';
    this.#server.stderr!.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-4000);
    });
    for (const end = performance.now() + START_TIMEOUT_MS; performance.now() < end; await sleep(200)) {
      if (this.#server.exitCode !== null) break;
      const status = await this.request('/readyz').then(
        response => response.status,
        () => 0,
      );
      if (status === 200) return;
    }
    await this.stop();
    throw new Error(`kube-apiserver does not respond: ${output}`);
  }
}

function startEtcd(peer: string, folder: string): Promise<Service> {
  const list = (port: number): readonly string[] => [
    `--data-dir=${join(folder, 'etcd')}`,
    `--listen-client-urls=http://127.0.0.1:${port}`,
    `--advertise-client-urls=http://127.0.0.1:${port}`,
    '--listen-peer-urls=http://127.0.0.1:0',
    '--unsafe-no-fsync',
  ];
  return startService(join(peer, 'usr/bin/etcd'), list, '/health', { timeoutMs: START_TIMEOUT_MS });
}

/** Writes the key that signs the tokens of service accounts, and the token of the administrator. */
function writeCredentials(folder: string): void {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  });
  writeFileSync(join(folder, 'accounts.key'), privateKey);
  writeFileSync(join(folder, 'tokens.csv'), `${ADMIN_TOKEN},admin,admin,"system:masters"\n`);
}

function listArguments(folder: string, etcdUrl: string, port: number): readonly string[] {
  const key = join(folder, 'accounts.key');
  return [
    `--etcd-servers=${etcdUrl}`,
    `--service-account-key-file=${key}`,
    `--service-account-signing-key-file=${key}`,
    '--service-account-issuer=https://kubernetes.default.svc',
    `--token-auth-file=${join(folder, 'tokens.csv')}`,
    '--authorization-mode=RBAC',
    '--bind-address=127.0.0.1',
    '--advertise-address=127.0.0.1',
    `--secure-port=${port}`,
    `--cert-dir=${join(folder, 'certificates')}`,
    '--service-cluster-ip-range=10.0.0.0/24',
    '--disable-admission-plugins=ServiceAccount',
  ];
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
