/** A pattern and the unit that it implies, as spelled in the JSON export. */
export type UnitRule = readonly [pattern: RegExp, unit: string];

/** Separator of a range: hyphen, en dash, em dash, or "to". */
const TO = String.raw`\s*(?:-|–|—|\bto\b)\s*`;
const ZERO = String.raw`(?<![\d.,])0(?:\.0+)?`;
const ONE = String.raw`1(?:\.0+)?(?![.,]?\d)`;
const HUNDRED = String.raw`100(?:\.0+)?(?![.,]?\d)`;

/** Scales in HELP text, in order of precedence. They take precedence over all other rules. */
export const SCALE_RULES: readonly UnitRule[] = [
  [new RegExp(`${ZERO}${TO}${ONE}(?!\\s*%)`, 'i'), 'ratio'],
  [/(?<![\d.,])1(?:\.0+)?\s*(?:means|is|equals?|==?)\s*100(?:\.0+)?\s*(?:%|percent\b)/i, 'ratio'],
  [new RegExp(`\\(\\s*${ZERO}${TO}${HUNDRED}\\s*%?\\s*\\)`, 'i'), 'percent'],
  [new RegExp(`\\brange:?\\s+${ZERO}${TO}${HUNDRED}`, 'i'), 'percent'],
  [new RegExp(`${ZERO}${TO}${HUNDRED}\\s*%`, 'i'), 'percent'],
];

/**
 * Units by symbol for `(in SYMBOL)` in HELP text, case-sensitive, as in DCGM's exporter. `MiB` is
 * "megabytes", as in AIPerf.
 */
export const HELP_SYMBOLS: ReadonlyMap<string, string> = new Map([
  ['KiB', 'kilobytes'],
  ['KB', 'kilobytes'],
  ['MiB', 'megabytes'],
  ['MB', 'megabytes'],
  ['GiB', 'gigabytes'],
  ['GB', 'gigabytes'],
  ['TB', 'terabytes'],
  ['B', 'bytes'],
  ['C', 'celsius'],
  ['°C', 'celsius'],
  ['F', 'fahrenheit'],
  ['°F', 'fahrenheit'],
  ['K', 'kelvin'],
  ['Hz', 'hertz'],
  ['MHz', 'megahertz'],
  ['GHz', 'gigahertz'],
  ['W', 'watt'],
  ['mW', 'milliwatt'],
  ['J', 'joule'],
  ['mJ', 'millijoule'],
  ['MJ', 'megajoule'],
  ['s', 'seconds'],
  ['sec', 'seconds'],
  ['ms', 'milliseconds'],
  ['us', 'microseconds'],
  ['µs', 'microseconds'], // U+00B5, the micro sign
  ['μs', 'microseconds'], // U+03BC, the Greek letter
  ['ns', 'nanoseconds'],
  ['GB/s', 'gb/s'],
  ['MB/s', 'mb/s'],
  ['%', 'percent'],
  ['percent', 'percent'],
]);

/** Units for "in UNIT" or "(UNIT)" in HELP text, in order of precedence. */
export const HELP_RULES: readonly UnitRule[] = [
  [createHelpPattern('seconds?'), 'seconds'],
  [createHelpPattern('milliseconds?|ms'), 'milliseconds'],
  [createHelpPattern('microseconds?'), 'microseconds'], // not in AIPerf; used by Triton
  [createHelpPattern('nanoseconds?|ns'), 'nanoseconds'],
  [createHelpPattern('bytes?'), 'bytes'],
  [createHelpPattern('GB/s'), 'gb/s'],
  [createHelpPattern('MB/s'), 'mb/s'],
  [createHelpPattern('tokens?/(?:s|sec|second)'), 'tokens/s'],
  [createHelpPattern('requests?/(?:s|sec|second)'), 'requests/s'],
  [/\bin\s+tokens?\b/i, 'tokens'],
];

function createHelpPattern(unit: string): RegExp {
  return new RegExp(`\\bin\\s+(?:${unit})\\b|\\(\\s*(?:${unit})\\s*\\)`, 'i');
}

/**
 * Units by suffix of a lowercase name; the longest suffix wins. The entries before the empty line equal
 * AIPerf's table; the entries after it follow the same spelling, with SI units in the singular, such as
 * `joule` and `watt`.
 *
 * `_usage` is omitted on purpose: SGLang's `token_usage` is a ratio, cAdvisor's `memory_usage` is in bytes.
 */
export const SUFFIXES: ReadonlyMap<string, string> = new Map([
  ['_seconds', 'seconds'],
  ['_seconds_total', 'seconds'],
  ['_milliseconds', 'milliseconds'],
  ['_ms', 'milliseconds'],
  ['_ms_total', 'milliseconds'],
  ['_nanoseconds', 'nanoseconds'],
  ['_ns', 'nanoseconds'],
  ['_ns_total', 'nanoseconds'],
  ['_bytes', 'bytes'],
  ['_bytes_total', 'bytes'],
  ['_kilobytes', 'kilobytes'],
  ['_megabytes', 'megabytes'],
  ['_gigabytes', 'gigabytes'],
  ['_total', 'count'],
  ['_count', 'count'],
  ['_tokens', 'tokens'],
  ['_tokens_total', 'tokens'],
  ['_requests', 'requests'],
  ['_requests_total', 'requests'],
  ['_reqs', 'requests'],
  ['request_success', 'requests'],
  ['_errors', 'errors'],
  ['_errors_total', 'errors'],
  ['_error_count', 'errors'],
  ['_error_count_total', 'errors'],
  ['_blocks', 'blocks'],
  ['_blocks_total', 'blocks'],
  ['_block_count', 'blocks'],
  ['_gb_s', 'gb/s'],
  ['_ratio', 'ratio'],
  ['_percent', 'percent'],
  ['_perc', 'percent'],
  ['_celsius', 'celsius'],
  ['_joules', 'joule'],
  ['_watts', 'watt'],

  ['_us', 'microseconds'],
  ['_us_total', 'microseconds'],
  ['_microseconds', 'microseconds'],
  ['_microseconds_total', 'microseconds'],
  ['_milliseconds_total', 'milliseconds'],
  ['_nanoseconds_total', 'nanoseconds'],
  ['_kib', 'kibibytes'],
  ['_kibibytes', 'kibibytes'],
  ['_mib', 'mebibytes'],
  ['_mebibytes', 'mebibytes'],
  ['_gib', 'gibibytes'],
  ['_gibibytes', 'gibibytes'],
  ['_celsius_total', 'celsius'],
  ['_joules_total', 'joule'],
  ['_hertz', 'hertz'],
  ['_volts', 'volt'],
  ['_amperes', 'ampere'],
  ['_meters', 'meter'],
  ['_grams', 'gram'],
  ['_kelvin', 'kelvin'],
  ['_tps', 'tokens/s'],
  ['_tokens_per_second', 'tokens/s'],
  ['_requests_per_second', 'requests/s'],
  ['_bytes_per_second', 'bytes/s'],
  ['_per_second', '1/s'],
]);

/** Units by part of a name, tried after all suffixes. */
export const NAME_PARTS: readonly (readonly [part: string, unit: string])[] = [['num_requests_', 'requests']];

/** Additional suffixes for the legacy export layout. */
export const LEGACY_SUFFIXES: ReadonlyMap<string, string> = new Map([['_info', 'info']]);
