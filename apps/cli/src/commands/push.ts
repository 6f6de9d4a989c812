import { PROTOCOL_NAMES } from '@org/push/target';
import { type Command, OUTPUT_FLAGS, option } from '@org/terminal/program';
import { DELIVERY_OPTIONS } from '../options/push.ts';

/** `servelens push`. */
export const pushCommand: Command = {
  arguments: [
    {
      name: 'runs',
      placeholder: 'RUN',
      isList: true,
      description: 'Folder of a run that has ended, or one of its exports',
    },
  ],
  optionGroups: [
    {
      title: 'Receivers',
      options: {
        to: option('PROTOCOL=URL', `Receiver of the statistics; PROTOCOL is ${PROTOCOL_NAMES.join(', ')}`, {
          many: 'repeat',
          isSecret: true,
        }),
        ...DELIVERY_OPTIONS,
        'push-timeout': option('SECONDS', 'Give up on a receiver that has not responded for SECONDS', {
          defaultText: '5',
        }),
      },
    },
    {
      title: 'Output',
      options: {
        time: option('TIME', 'Timestamp of the pushed values: now, or run (the end of the run)', {
          choices: ['now', 'run'],
          defaultText: 'now',
        }),
        json: { ...OUTPUT_FLAGS.json, description: 'Print the numbers of sent and lost values as JSON' },
      },
    },
  ],
  examples: [
    {
      command: 'servelens push artifacts/run1 --to remote-write=http://localhost:9090',
      description: 'Push the statistics of a run to Prometheus',
    },
    {
      command: 'servelens push run1 --to otlp=https://otel:4318 --push-header-file secret.txt',
      description: 'Push the statistics to an OpenTelemetry collector, with credentials from a file',
    },
  ],
  notes: [
    'If a URL has no path, the path of the protocol is added: /v1/metrics for otlp and otlp-json, /api/v1/write for remote-write.',
    'Prometheus rejects values that are older than about an hour, unless out_of_order_time_window is set.',
  ],
  exitCodes: [
    ['0', 'success'],
    ['1', 'a receiver did not accept all values'],
    ['2', 'invalid arguments'],
  ],
  run: async (raw, context) => {
    const { pushRuns } = await import('../push/pushRuns.ts');
    return pushRuns(raw, context);
  },
};
