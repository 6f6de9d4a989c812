import { MOUNT_FOLDER } from './mountedFiles.ts';

/** Properties of the job of a load. */
export interface JobOptions {
  readonly name: string;
  readonly namespace: string;
  readonly image: string;
  /** Number of pods. */
  readonly shards: number;
  /** Persistent volume claim of the results. */
  readonly claim: string;
  /** Secret whose keys are environment variables. */
  readonly secret?: string;
  /** Options of `servelens profile`, without the options of a shard. */
  readonly words: readonly string[];
  /** Files of the ConfigMap by name. */
  readonly files: Readonly<Record<string, string>>;
}

/** An object of the Kubernetes API. */
export type KubernetesObject = Readonly<Record<string, unknown>>;

/** Folder of the volume of results in a pod. */
const RESULTS_FOLDER = '/artifacts';

/** ID of the user that runs the processes. It need not exist in the image. */
const USER_ID = 10_001;

/**
 * Creates the objects that run a load in Kubernetes: an account with the right to find pods, the files of the options, and an
 * indexed job with one pod for each shard.
 */
export function createJobObjects(options: JobOptions): KubernetesObject[] {
  const metadata = createMetadata(options);
  return [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata },
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'Role',
      metadata,
      // Reads of pods find the endpoints of servers. Nothing is written.
      rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['list', 'watch'] }],
    },
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      metadata,
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: options.name },
      subjects: [{ kind: 'ServiceAccount', name: options.name, namespace: options.namespace }],
    },
    { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: options.files },
    { apiVersion: 'batch/v1', kind: 'Job', metadata, spec: createJobSpec(options) },
  ];
}

function createMetadata({ name, namespace }: JobOptions): KubernetesObject {
  return {
    name,
    namespace,
    labels: { 'app.kubernetes.io/name': 'servelens', 'app.kubernetes.io/instance': name },
  };
}

function createJobSpec(options: JobOptions): KubernetesObject {
  const { shards } = options;
  const labels = { 'app.kubernetes.io/name': 'servelens', 'app.kubernetes.io/instance': options.name };
  return {
    completionMode: 'Indexed',
    completions: shards,
    parallelism: shards,
    // A shard that is started again would send its part of the load at another time than the others.
    backoffLimit: 0,
    template: {
      metadata: { labels },
      spec: {
        restartPolicy: 'Never',
        serviceAccountName: options.name,
        terminationGracePeriodSeconds: 120,
        securityContext: { runAsNonRoot: true, runAsUser: USER_ID, fsGroup: USER_ID },
        topologySpreadConstraints: [
          {
            maxSkew: 1,
            topologyKey: 'kubernetes.io/hostname',
            whenUnsatisfiable: 'ScheduleAnyway',
            labelSelector: { matchLabels: labels },
          },
        ],
        containers: [createContainer(options)],
        volumes: [
          { name: 'files', configMap: { name: options.name } },
          { name: 'results', persistentVolumeClaim: { claimName: options.claim } },
        ],
      },
    },
  };
}

/** Creates the container of a shard. Kubernetes replaces `$(JOB_COMPLETION_INDEX)` in its arguments. */
function createContainer({ name, image, shards, secret, words }: JobOptions): KubernetesObject {
  return {
    name: 'servelens',
    image,
    args: [
      'profile',
      ...words,
      '--ui=none',
      `--shard=$(JOB_COMPLETION_INDEX)/${shards}`,
      `--artifact-dir=${RESULTS_FOLDER}/${name}/shard-$(JOB_COMPLETION_INDEX)`,
    ],
    env: [{ name: 'HOME', value: '/tmp' }],
    ...(secret === undefined ? {} : { envFrom: [{ secretRef: { name: secret } }] }),
    securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
    volumeMounts: [
      { name: 'files', mountPath: MOUNT_FOLDER, readOnly: true },
      { name: 'results', mountPath: RESULTS_FOLDER },
    ],
  };
}
