import type { ProfileExport, ProfileMetric, Reconciliation } from '@org/formats';
import { figure, printable } from '@org/reader';
import colors from 'picocolors';

/** How a screen looks. */
export interface ScreenLook {
  readonly width: number;
  readonly color: boolean;
}

/** Columns of the table of latencies: reference, section B2. */
const STATS = ['avg', 'min', 'max', 'p99', 'p90', 'p50', 'std'] as const;
/** `118.4 ms` and a blank. */
const FIGURE = 8;
const NAME = 24;

/** Metrics of the table in AIPerf's order, by what they are called where there is little room. */
const ROWS: readonly (readonly [tag: string, name: string])[] = [
  ['time_to_first_token', 'Time to First Token'],
  ['time_to_second_token', 'Time to Second Token'],
  ['time_to_first_output_token', 'Time to First Output'],
  ['request_latency', 'Request Latency'],
  ['inter_token_latency', 'Inter Token Latency'],
  ['output_token_throughput_per_user', 'Output tok/s per user'],
  ['e2e_output_token_throughput', 'E2E tok/s per user'],
  ['output_sequence_length', 'Output Length, tok'],
  ['input_sequence_length', 'Input Length, tok'],
  ['output_token_throughput', 'Output tok/s'],
  ['request_throughput', 'Requests/s'],
  ['goodput', 'Goodput, requests/s'],
  ['request_count', 'Requests'],
  ['error_request_count', 'Failed Requests'],
];

/** Steps of the HTTP requests, for those who ask. */
const TRACE_ROWS: readonly (readonly [tag: string, name: string])[] = [
  ['http_req_blocked', 'Blocked'],
  ['http_req_dns_lookup', 'DNS Lookup'],
  ['http_req_connecting', 'Connecting'],
  ['http_req_sending', 'Sending'],
  ['http_req_waiting', 'Waiting'],
  ['http_req_receiving', 'Receiving'],
  ['http_req_total', 'Total'],
];

/** What was asked, and what came of it in a line. */
export function headLines(document: ProfileExport, { width, color }: ScreenLook): string[] {
  const paint = colors.createColors(color);
  const value = (tag: string, stat: 'avg' | 'p50' | 'p99' = 'avg'): number | undefined =>
    (document[tag] as ProfileMetric | undefined)?.[stat];
  const [succeeded, failed, seconds] = [
    value('request_count') ?? 0,
    value('error_request_count') ?? 0,
    value('benchmark_duration'),
  ];
  const first = [
    `${whole(succeeded)} ${succeeded === 1 ? 'request' : 'requests'}`,
    ...(seconds === undefined ? [] : [`in ${figure(seconds, 'sec')}`]),
  ].join(' ');
  const parts = [
    ...(failed > 0 ? [paint.red(`${whole(failed)} failed`)] : []),
    ...(document.was_cancelled ? [paint.yellow('interrupted')] : []),
  ];
  const good = value('good_request_count');
  const shown = [
    told(value('request_throughput'), null, 'requests/s'),
    told(value('output_token_throughput'), null, 'output tok/s'),
    told(value('time_to_first_token', 'p99'), 'ms', 'p99 to first token'),
    told(value('inter_token_latency'), 'ms', 'a token'),
    ...(good === undefined || succeeded === 0 ? [] : [`${share(good / succeeded)} good`]),
  ].filter(text => text !== '');
  return [
    [paint.bold(first), ...parts].join('  '),
    ...(shown.length > 0 ? [paint.bold(cut(shown.join(', '), width - 1))] : []),
  ];
}

function told(value: number | undefined, unit: string | null, what: string): string {
  return value === undefined ? '' : `${figure(value, unit)} ${what}`;
}

/** The latencies that the client measured, as a table. */
export function metricTable(document: ProfileExport, { color }: ScreenLook): string[] {
  const rows = ROWS.filter(([tag]) => tag !== 'time_to_first_output_token' || hasReasoning(document));
  return table('Client', rows, document, color);
}

/** The steps of the HTTP requests. */
export function traceTable(document: ProfileExport, { color }: ScreenLook): string[] {
  return table('HTTP', TRACE_ROWS, document, color);
}

/** Without reasoning the first output is the first token. */
function hasReasoning(document: ProfileExport): boolean {
  return document.reasoning_token_count !== undefined;
}

function table(
  title: string,
  rows: readonly (readonly [tag: string, name: string])[],
  document: ProfileExport,
  color: boolean,
): string[] {
  const paint = colors.createColors(color);
  const head = ` ${title.padEnd(NAME - 1)}`;
  const lines = rows.flatMap(([tag, name]) => {
    const block = document[tag] as ProfileMetric | undefined;
    return block ? [` ${name.padEnd(NAME - 1)}${cells(block)}`] : [];
  });
  return [paint.bold(head) + paint.dim(STATS.map(stat => stat.padStart(FIGURE)).join('')), ...lines].map(
    line => line.trimEnd(),
  );
}

function cells(block: ProfileMetric): string {
  return STATS.map(stat => {
    const value = block[stat];
    const unit = /^(?:ms|sec|ns)$/.test(block.unit) ? block.unit : null;
    return (value === undefined ? '' : figure(value, unit, FIGURE - 1)).padStart(FIGURE);
  }).join('');
}

/** How often what went wrong: code, type, message. */
export function errorLines(document: ProfileExport, { width, color }: ScreenLook): string[] {
  const paint = colors.createColors(color);
  const errors = document.error_summary ?? [];
  if (errors.length === 0) return [];
  const shown = errors.slice(0, MOST_ERRORS).map(({ error_details: details, count }) => {
    const code = details?.code === null || details?.code === undefined ? '' : ` ${details.code}`;
    const head = ` ${String(count).padStart(6)} × ${details?.type ?? 'error'}${code}: `;
    return cut(head + printable(details?.message ?? '').replaceAll('␊', ' '), width - 1);
  });
  const more =
    errors.length > MOST_ERRORS ? [paint.dim(`   and ${errors.length - MOST_ERRORS} more kinds`)] : [];
  return [paint.bold(paint.red(' Failed requests')), ...shown, ...more];
}

const MOST_ERRORS = 8;

/** Client against servers: counts, then latencies, then what does not agree. */
export function reconciliationLines(found: Reconciliation, look: ScreenLook): string[] {
  const paint = colors.createColors(look.color);
  const head = (title: string, names: readonly string[]): string =>
    paint.bold(` ${title.padEnd(NAME - 1)}`) + paint.dim(names.map(name => name.padStart(CELL)).join(''));
  const counts = [
    ['Requests', found.requests],
    ['Prompt tokens', found.prompt_tokens],
    ['Generation tokens', found.generation_tokens],
  ] as const;
  const lines = counts.flatMap(([name, count]) =>
    count
      ? [
          ` ${name.padEnd(NAME - 1)}${row([whole(count.client), whole(count.server), signed(count.difference)])}`,
        ]
      : [],
  );
  const latencies = found.latencies.map(
    ({ metric, client_avg_ms, server_avg_ms, outside_avg_ms, outside_share }) => {
      const outside = `${figure(outside_avg_ms, 'ms', CELL - 2)}`;
      const cellsOf = [
        figure(client_avg_ms, 'ms'),
        figure(server_avg_ms, 'ms'),
        outside,
        share(outside_share),
      ];
      return ` ${(NAMES[metric] ?? metric).padEnd(NAME - 1)}${row(cellsOf)}`;
    },
  );
  const queue = found.queue
    ? [
        ` ${'In its queue'.padEnd(NAME - 1)}${row(['', figure(found.queue.avg_ms, 'ms'), '', share(found.queue.share)])}`,
      ]
    : [];
  const hasTimes = latencies.length > 0;
  return [
    head('Client and server', ['client', found.server, 'difference']),
    ...lines,
    ...(hasTimes ? [head('On average', ['client', found.server, 'outside', 'of client'])] : []),
    ...latencies,
    ...queue,
    ...(found.findings.length === 0
      ? [paint.green(' ✓ ') + agreed(found)]
      : found.findings.flatMap(({ message }) => bullet(message, look))),
  ].map(line => line.trimEnd());
}

const CELL = 12;

const NAMES: Readonly<Record<string, string>> = Object.fromEntries(ROWS);

function agreed({ server, requests, prompt_tokens, generation_tokens }: Reconciliation): string {
  if (!requests) return 'nothing speaks against each other';
  const counted = `${server} counted the answers that the client has, and no others`;
  const tokens = (prompt_tokens?.difference ?? 0) > 0 || (generation_tokens?.difference ?? 0) > 0;
  return tokens && requests.client_failed > 0
    ? `${counted}; requests that failed have their part in its tokens`
    : counted;
}

function row(values: readonly string[]): string {
  return values.map(value => value.padStart(CELL)).join('');
}

function whole(value: number): string {
  return new Intl.NumberFormat('en').format(value);
}

function signed(value: number): string {
  return value === 0 ? '0' : `${value > 0 ? '+' : '−'}${whole(Math.abs(value))}`;
}

function share(value: number): string {
  const text = (100 * value).toFixed(1);
  return `${text === '-0.0' ? '0.0' : text} %`;
}

/** A warning, in as many lines as it takes. */
export function bullet(message: string, { width, color }: ScreenLook): string[] {
  const paint = colors.createColors(color);
  return wrapped(printable(message), width - 4).map((line, at) =>
    at === 0 ? ` ${paint.yellow('!')} ${line}` : `   ${line}`,
  );
}

function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && longer.length <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

function cut(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, width - 1).trimEnd()}…`;
}
