import { type OptionTable, option } from '@org/terminal/program';

/** Options that change a trace. */
export const TRACE_OPTIONS: OptionTable = {
  'synthesis-speedup-ratio': option('RATIO', 'Divide the timestamps of a trace by RATIO', {
    defaultText: '1',
  }),
  'synthesis-prefix-len-multiplier': option(
    'FACTOR',
    'Factor of the length of the prefixes that prompts of a trace share',
    { defaultText: '1' },
  ),
  'synthesis-prefix-root-multiplier': option(
    'N',
    'Number of different copies of the shared prefixes; each request has one of them, chosen at random',
    { defaultText: '1' },
  ),
  'synthesis-prompt-len-multiplier': option(
    'FACTOR',
    'Factor of the length of the prompts of a trace after the shared prefix',
    { defaultText: '1' },
  ),
  'synthesis-output-len-multiplier': option('FACTOR', 'Factor of the output lengths of a trace', {
    defaultText: '1',
  }),
  'synthesis-max-isl': option('TOKENS', 'Leave out requests of a trace with longer prompts'),
  'synthesis-max-osl': option('TOKENS', 'Maximum output length of a trace'),
  'inter-turn-delay-cap-seconds': option(
    'SECONDS',
    'Maximum delay between a response and the next turn in --input-file, in seconds',
  ),
};
