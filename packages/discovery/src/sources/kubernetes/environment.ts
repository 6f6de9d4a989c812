import { existsSync } from 'node:fs';

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

const TOKEN_PATH = '/var/run/secrets/kubernetes.io/serviceaccount/token';

/** Reports whether this process runs in a pod that has a service account. `root` is the folder of its files. */
export function isInCluster(env: Environment, root = ''): boolean {
  return Boolean(env.KUBERNETES_SERVICE_HOST) && existsSync(root + TOKEN_PATH);
}
