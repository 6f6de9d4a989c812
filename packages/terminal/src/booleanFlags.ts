import { UsageError } from './usageError.ts';

/**
 * Checks that boolean flags on the command line have no value other than `true` or `false`: yargs silently reads
 * `--json=yes` as false. Ignores words after `--`, which belong to another command.
 *
 * @param raw the options as yargs parsed them
 * @param argv the words of the command line
 * @throws UsageError for any other value
 */
export function checkBooleanFlags(raw: Readonly<Record<string, unknown>>, argv: readonly string[]): void {
  const end = argv.indexOf('--');
  for (const word of end < 0 ? argv : argv.slice(0, end)) {
    const [, dashes, name, value = ''] = /^(--?)([\w-]+)=(.*)$/s.exec(word) ?? [];
    if (name === undefined || /^(?:true|false)$/.test(value)) continue;
    // In -vq=yes, the value belongs to the last letter.
    const option = dashes === '-' ? name.slice(-1) : name;
    if (typeof raw[option] !== 'boolean') continue;
    throw new UsageError(
      `invalid ${dashes}${option} ${JSON.stringify(value)}: expected true, false or no value`,
    );
  }
}
