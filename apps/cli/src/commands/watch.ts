import { type Command, flag, isSet, readNumber } from '@org/terminal/program';
import { PORT_RANGE } from '../options/web.ts';

/** `servelens watch`. */
export const watchCommand: Command = {
  arguments: [
    {
      name: 'folder',
      placeholder: 'FOLDER',
      description: 'Folder of a run, of a sweep or of repeated runs',
    },
  ],
  optionGroups: [
    {
      title: 'Options',
      options: {
        port: {
          placeholder: 'PORT',
          description: 'Port of the page, at 127.0.0.1',
          defaultText: 'a free port',
        },
        json: flag('Print the address as JSON to stdout'),
      },
    },
  ],
  examples: [
    {
      command: 'servelens watch artifacts/run1',
      description: 'Show the page of an active run in a browser, from another shell',
    },
  ],
  notes: [
    'Prints the address of the page to stderr, and serves the page until Ctrl-C. The page is read-only, and can be opened only on this machine by users who know the address.',
  ],
  exitCodes: [
    ['0', 'success'],
    ['2', 'the folder contains no run, the port cannot be used, or the arguments are invalid'],
  ],
  run: async (raw, { io }) => {
    const { runWatch } = await import('../watch/watchSession.ts');
    const port = readNumber(raw, 'port', PORT_RANGE) ?? 0;
    return runWatch({ name: String(raw.folder), port, isJson: isSet(raw, 'json') }, io);
  },
};
