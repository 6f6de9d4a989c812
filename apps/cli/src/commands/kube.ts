import { type Command, flag, type NestedProgram, option } from '@org/terminal/program';

/** `servelens kube manifest`. */
const manifestCommand: Command = {
  usage: '[options] -- PROFILE_OPTIONS...',
  acceptsChildCommand: true,
  optionGroups: [
    {
      title: 'Job',
      options: {
        image: option('IMAGE', 'Container image whose entry point is servelens', { defaultText: 'required' }),
        shards: option('N', 'Number of pods; each pod sends one shard of the load', {
          defaultText: '1',
        }),
        'volume-claim': option(
          'NAME',
          'Persistent volume claim that all pods can write to; shard I writes to the folder JOB/shard-I',
          { defaultText: 'required' },
        ),
        name: option('NAME', 'Name of the job and of the other objects', { defaultText: 'servelens' }),
        namespace: option('NAMESPACE', 'Namespace of all objects', { defaultText: 'default' }),
        secret: option('NAME', 'Secret whose keys are environment variables, for values such as $(API_KEY)', {
          defaultText: 'none',
        }),
      },
    },
    {
      title: 'Display',
      options: {
        json: flag('Print the objects as a JSON list, instead of YAML documents'),
      },
    },
  ],
  examples: [
    {
      command: 'servelens kube manifest --image sl:1 --shards 4 --volume-claim runs -- -m m',
      description: 'Print a job with four pods; kubectl apply -f - starts it',
    },
  ],
  notes: [
    'PROFILE_OPTIONS are the options of servelens profile, without --shard and --artifact-dir. Files that they name (--config, --input-file, --request-rate-series, --servers and others) are stored in a ConfigMap.',
    'Without --random-seed, all shards share one randomly chosen seed. To start all shards at the same time, set --start-at to a time when all pods are running.',
  ],
  exitCodes: [
    ['0', 'success'],
    ['2', 'invalid arguments'],
  ],
  run: async (raw, context) => {
    const { printManifest } = await import('../kube/printManifest.ts');
    return printManifest(raw, context);
  },
};

/** `servelens kube`. */
export const kubeProgram: NestedProgram = {
  description: 'Run shards of a load in Kubernetes.',
  commands: [
    {
      name: 'manifest',
      summary: 'Print an indexed job that runs the shards of a load',
      load: async () => manifestCommand,
    },
  ],
};
