import { ArgumentError } from './argument.ts';

/**
 * yargs takes `--json=yes` for no. Throws `ArgumentError` for a switch among the words of the command line that is set to
 * anything but true or false. `raw`: what yargs made of the words.
 */
export function checkSwitches(raw: Readonly<Record<string, unknown>>, argv: readonly string[]): void {
  const behind = argv.indexOf('--');
  for (const word of behind < 0 ? argv : argv.slice(0, behind)) {
    const [, dashes, name, value = ''] = /^(--?)([\w-]+)=(.*)$/s.exec(word) ?? [];
    if (name === undefined || /^(?:true|false)$/.test(value)) continue;
    // Of -ab=yes the last letter has the value.
    const option = dashes === '-' ? name.slice(-1) : name;
    if (typeof raw[option] !== 'boolean') continue;
    throw new ArgumentError(
      `${dashes}${option} is ${JSON.stringify(value)}; expected true or false, or the option alone`,
    );
  }
}
