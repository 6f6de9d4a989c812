import { flag, type OptionTable, option } from '@org/terminal/program';

/** Options for GPU telemetry. */
export const GPU_OPTIONS: OptionTable = {
  'gpu-telemetry': option(
    'SOURCE',
    'Sources of GPU telemetry: auto (exporters on the hosts of the servers), URLs of exporters, pynvml (nvidia-smi) or amdsmi (amd-smi)',
    {
      many: 'list',
      acceptsCommas: true,
      isValueOptional: true,
      defaultText: 'exporters and commands of this host',
    },
  ),
  'no-gpu-telemetry': flag('Disable GPU telemetry'),
  gpus: option('GPU', 'GPUs to record, as INDEX, HOST/INDEX or UUID', {
    many: 'list',
    acceptsCommas: true,
    defaultText: 'all',
  }),
  'gpu-map': option(
    'SERVER=GPU',
    'GPUs of each server, such as localhost:8000=0,1, to divide the energy among several servers',
    { many: 'list', defaultText: 'by host' },
  ),
};
