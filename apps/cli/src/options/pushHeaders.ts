import { REDACTED } from '@org/core';
import { describeSystemError } from '@org/core/systemError';
import { PROTOCOL_NAMES, type ProtocolName } from '@org/push/target';
import { readTextFile } from '@org/scrape';
import { UsageError } from '@org/terminal';

/** A header for receivers. */
export interface PushHeader {
  /** Lower-case name. */
  readonly name: string;
  readonly value: string;
  /** The protocol of the receivers; all receivers if absent. */
  readonly protocol?: ProtocolName;
}

/** Matches `Name: value`. The name is a token (https://www.rfc-editor.org/rfc/rfc9110#name-tokens). */
const HEADER = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+)\s*:[\t ]*([\t -~\x80-\xff]+)$/;

/** Headers that describe the body, which the protocol sets. */
const RESERVED =
  /^(?:content-(?:type|length|encoding)|transfer-encoding|host|connection|x-prometheus-remote-write-version)$/;

/** Parses headers. Messages do not contain their values, which may be secrets. `source` is where they were specified. */
export function parsePushHeaders(texts: readonly string[], source: string): PushHeader[] {
  return texts.map(text => {
    const protocol = PROTOCOL_NAMES.find(name => text.startsWith(`${name}=`));
    const header = protocol === undefined ? text : text.slice(protocol.length + 1);
    const [, name, value] = HEADER.exec(header) ?? [];
    if (name === undefined || value === undefined)
      throw new UsageError(
        `invalid ${source} ${REDACTED}: expected 'Name: value' or 'PROTOCOL=Name: value', with PROTOCOL one of ${PROTOCOL_NAMES.join(', ')}`,
      );
    const lowerName = name.toLowerCase();
    if (RESERVED.test(lowerName))
      throw new UsageError(
        `${source} cannot set ${name}, which depends on the protocol; expected another header`,
      );
    return { name: lowerName, value: value.trimEnd(), ...(protocol === undefined ? {} : { protocol }) };
  });
}

/** Reads a file with one header per line. Empty lines, and lines that start with `#`, are ignored. */
export function readHeaderFile(path: string | undefined): PushHeader[] {
  if (path === undefined) return [];
  const lines = readFile(path)
    .split(/\r?\n/)
    .map(line => line.trim())
    .filter(line => line !== '' && !line.startsWith('#'));
  return parsePushHeaders(lines, '--push-header-file');
}

function readFile(path: string): string {
  try {
    return readTextFile(path);
  } catch (error) {
    throw new UsageError(
      `cannot read --push-header-file ${JSON.stringify(path)}: ${describeSystemError(error)}`,
    );
  }
}

/** Selects the headers of a receiver. A header of its protocol takes precedence over one of all receivers. */
export function selectHeaders(
  headers: readonly PushHeader[],
  protocol: ProtocolName,
): Readonly<Record<string, string>> {
  const selected = [
    ...headers.filter(header => header.protocol === undefined),
    ...headers.filter(header => header.protocol === protocol),
  ];
  return Object.fromEntries(selected.map(({ name, value }) => [name, value]));
}
