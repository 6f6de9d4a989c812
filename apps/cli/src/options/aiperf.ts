import { flag, type OptionTable, option, type RawOptions } from '@org/terminal/program';
import { isGiven } from './ineffective.ts';

/** Options of AIPerf that have no counterpart, because they concern its processes and its screen. */
export const AIPERF_OPTIONS: OptionTable = {
  'ui-type': option('TYPE', 'User interface', { aliases: ['ui'] }),
  'log-level': option('LEVEL', 'Log level'),
  verbose: flag('Verbose log'),
  'extra-verbose': flag('More verbose log'),
  'record-processor-service-count': option('N', 'Processes', { aliases: ['record-processors'] }),
  'url-strategy': option('STRATEGY', 'Distribution of requests, always round robin', {
    choices: ['round_robin', 'round-robin'],
  }),
  'transport-type': option('TYPE', 'Transport; HTTP is always used', { aliases: ['transport'] }),
  'set-consistent-seed': flag('Use the same seed for all runs'),
  'no-sweep-table': flag('Hide the table of a sweep'),
  'zmq-host': option('HOST', 'Address for messages between processes'),
  'zmq-ipc-path': option('PATH', 'Path for messages between processes'),
  'zmq-dual-bind': flag('Bind two addresses'),
  'fixed-schedule-auto-offset': flag('Start a schedule at its first timestamp, which is the default'),
};

/** Describes the options of AIPerf that are set and ignored; undefined if there are none. */
export function describeIgnoredOptions(raw: RawOptions): string | undefined {
  const names = Object.keys(AIPERF_OPTIONS).filter(name => isGiven(raw, name));
  if (names.length === 0) return undefined;
  const [noun, verb] = names.length === 1 ? ['option', 'has'] : ['options', 'have'];
  return `${noun} of AIPerf that ${verb} no counterpart and ${verb} no effect: ${names.map(name => `--${name}`).join(', ')}`;
}
