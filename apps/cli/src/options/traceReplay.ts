import { flag, type OptionTable, option } from '@org/terminal/program';

/** Options for the replay of a `baseten_trace`. */
export const REPLAY_OPTIONS: OptionTable = {
  'trace-session-sample-ratio': option('RATIO', 'Share of the sessions of a baseten_trace to replay', {
    defaultText: '1',
  }),
  'replay-speedup': option('RATIO', 'Divide the times of a baseten_trace by RATIO', { defaultText: '1' }),
  'max-idle-gap-cap-seconds': option(
    'SECONDS',
    'Longest time without a request of a baseten_trace, in seconds; longer ones are shortened',
  ),
  'open-loop-replay': flag(
    'Send the turns of a baseten_trace at their timestamps, but not before the previous response',
    { defaultText: 'true' },
  ),
  'no-open-loop-replay': flag(
    'Send each turn of a baseten_trace after the previous response and the recorded time between them',
  ),
  'open-loop-strict': flag('Send each turn of a baseten_trace at its timestamp, as a separate conversation'),
  'omit-kv-hints': flag('Send a baseten_trace without its fields hash_ids and block_size'),
  'force-min-tokens': flag('Send the output lengths of a baseten_trace also as min_tokens', {
    defaultText: 'true',
  }),
  'no-force-min-tokens': flag('Let the server end the responses of a baseten_trace early'),
};
