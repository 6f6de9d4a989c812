import { PERCENTILE_METHODS, type PercentileMethod } from '@org/core';
import { DEFAULT_FORMATS } from '@org/record';
import type { Argv } from 'yargs';
import { FORMATS_OPTION } from '../export/exportoptions.ts';
import { layoutOptionsIn } from '../export/layouts.ts';
import { MEMORY_OPTION } from '../memory.ts';
import { VARIABLES } from '../settings.ts';
import { ACCESS_OPTIONS } from './accessoptions.ts';

const METHODS = Object.keys(PERCENTILE_METHODS) as PercentileMethod[];

const WHERE = 'What to scrape:';
const WHEN = 'When:';
const OUT = 'Exports:';
const LOOK = 'While it runs:';

/** Declares the options of `servelens collect` on a yargs command. */
export function declareOptions(yargs: Argv): Argv {
  return yargs
    .options({
      'server-metrics': {
        group: WHERE,
        array: true,
        string: true,
        describe: 'Endpoints to scrape; /metrics is added when it is missing',
        requiresArg: true,
      },
      url: {
        group: WHERE,
        alias: 'u',
        array: true,
        string: true,
        describe: 'Inference servers by their API: <url>/metrics is scraped, or the root of the server',
        requiresArg: true,
      },
      'no-server-metrics': { group: WHERE, boolean: true, describe: 'Scrape nothing, only run the command' },
      'require-server-metrics': {
        group: WHERE,
        boolean: true,
        default: false,
        describe: 'Fail when an endpoint gave no data or an export could not be written',
      },
      ...ACCESS_OPTIONS,
      duration: {
        group: WHEN,
        describe: 'Seconds to collect, after the warm-up',
        requiresArg: true,
      },
      'warmup-duration': {
        group: WHEN,
        default: 0,
        describe: 'Seconds at the start that statistics leave out',
        requiresArg: true,
      },
      settle: {
        group: WHEN,
        describe:
          'Before and after profiling, wait until idle servers stand still, so many seconds at most (10)',
      },
      'slice-duration': {
        group: OUT,
        describe: 'Seconds of a timeslice; none without it',
        requiresArg: true,
      },
      'server-metrics-formats': {
        group: OUT,
        ...FORMATS_OPTION,
        defaultDescription: JSON.stringify(DEFAULT_FORMATS),
        describe: 'Formats to write',
      },
      ...layoutOptionsIn(OUT),
      'artifact-dir': {
        group: OUT,
        alias: 'output-artifact-dir',
        string: true,
        describe: 'Folder for the exports [default: ./artifacts/<start of the run>]',
        requiresArg: true,
      },
      'profile-export-prefix': {
        group: OUT,
        alias: 'profile-export-file',
        string: true,
        describe: 'Names the files <prefix>_server_metrics.*',
        requiresArg: true,
      },
      'percentile-method': {
        group: OUT,
        choices: METHODS,
        default: defaultMethod(),
        describe: 'How percentiles are estimated from histogram buckets',
        requiresArg: true,
      },
      'keep-journal': {
        group: OUT,
        boolean: true,
        default: false,
        describe: 'Keep the journal once the exports are written',
      },
      'memory-limit': { group: OUT, ...MEMORY_OPTION },
      quiet: {
        group: LOOK,
        alias: 'q',
        boolean: true,
        default: false,
        describe: 'Say nothing but warnings and the result',
      },
      live: {
        group: LOOK,
        boolean: true,
        describe: 'Show the live line [default: on a terminal, unless a command has it]',
      },
    })
    .example('$0 collect --server-metrics localhost:8000 --duration 60', 'one endpoint, one minute')
    .example(
      '$0 collect --url localhost:8000/v1 --warmup-duration 10 --slice-duration 5 -- vllm bench serve --model m',
      'around any load generator',
    )
    .example(
      '$0 collect --server-metrics https://node1 --bearer-token-file token --ca-file ca.pem --duration 60',
      'behind TLS and a token',
    )
    .example(
      '$0 collect --server-metrics node1:8081 node2:8081 --require-server-metrics -- ./load.sh',
      'in CI',
    )
    .epilogue(variables());
}

/** The settings that come from the environment. */
function variables(): string {
  const lines = VARIABLES.map(
    ({ name, standard, least, most, unit, meaning }) =>
      `  ${name}\n      ${unit === 's' ? 'seconds' : unit} ${meaning} [default: ${standard}] [${least} to ${most}]`,
  );
  return ['Environment:', ...lines].join('\n');
}

function defaultMethod(): PercentileMethod {
  return METHODS.includes('moments' as PercentileMethod) ? ('moments' as PercentileMethod) : 'polynomial';
}
