import { flag, type OptionTable, option, type RawOptions } from '@org/terminal/program';
import { isGiven } from '../ineffective.ts';
import { MISSING_AUDIO_FORMATS } from './missingChoices.ts';

/** Options of AIPerf that have no effect: they concern its processes and its screen, or ask for what is always done. */
export const IGNORED_OPTIONS: OptionTable = {
  'log-level': option('LEVEL', 'Log level'),
  verbose: flag('Verbose log', { aliases: ['v'] }),
  'extra-verbose': flag('More verbose log', { aliases: ['vv'] }),
  'record-processor-service-count': option('N', 'Processes', { aliases: ['record-processors'] }),
  'url-strategy': option('STRATEGY', 'Distribution of requests, always round robin', {
    choices: ['round_robin'],
  }),
  'transport-type': option('TYPE', 'Transport; HTTP is always used', {
    aliases: ['transport'],
    choices: ['http'],
  }),
  'tokenizer-trust-remote-code': flag('Run code of the tokenizer; only tokenizer.json is read'),
  'set-consistent-seed': flag('Use the same seed for all runs'),
  'no-sweep-table': flag('Hide the table of a sweep'),
  'audio-format': option('FORMAT', 'Format of audio clips, always WAV', {
    choices: ['wav'],
    unavailableChoices: MISSING_AUDIO_FORMATS,
  }),
  'request-content-type': option('TYPE', 'Content type of bodies, always the type that the API requires', {
    choices: ['application/json', 'multipart/form-data', 'application-json', 'multipart-form-data'],
  }),
  'zmq-host': option('HOST', 'Address for messages between processes'),
  'zmq-ipc-path': option('PATH', 'Path for messages between processes'),
  'zmq-dual-bind': flag('Bind two addresses'),
  'allow-dataset-wrap': flag('Repeat the conversations of Weka traces'),
  'search-percentile-pooling': option(
    'METHOD',
    'Percentiles of repeated runs in a search, which are always averaged',
    { choices: ['mean'] },
  ),
  'bo-constraint-mode': option('MODE', 'Constraint mode of a planner, ignored by AIPerf, too'),
  'export-http-trace': flag('Write HTTP timings for each request, which is always done'),
  'fixed-schedule-auto-offset': flag('Start a schedule at its first timestamp, which is the default'),
};

/** Describes the options of AIPerf that are set and ignored; undefined if there are none. */
export function describeIgnoredOptions(raw: RawOptions): string | undefined {
  const names = Object.keys(IGNORED_OPTIONS).filter(name => isGiven(raw, name));
  if (names.length === 0) return undefined;
  const end = names.length === 1 ? 'is an option of AIPerf and has' : 'are options of AIPerf and have';
  return `${names.map(name => `--${name}`).join(', ')} ${end} no effect here`;
}
