import { FINDING_RULES, type Finding, isFailureFinding, type Run, recognizeServers } from '@org/analysis';
import { formatCount, formatPercent, formatValue } from '@org/core';
import { readClientStat } from './clientStats.ts';
import { describeLimits, describeMissedLimits, measureExcess } from './missedLimits.ts';
import { formatUsage } from './values.ts';

/** What happened in a run, in one sentence, and the figures that support it. */
export interface Verdict {
  readonly tone: 'problem' | 'warning' | 'good' | 'unknown';
  readonly sentence: string;
  readonly facts: string;
  /** The position of the finding that the sentence is about, from 1. */
  readonly finding?: number;
}

/** The rules on the load, which say what limits a run. */
const LOAD_IDS: ReadonlySet<string> = new Set(
  FINDING_RULES.filter(({ about }) => about === 'load').map(({ id }) => id),
);

/** The verdict without a finding about failures or the load. */
const NO_FINDING: Verdict = {
  tone: 'good',
  sentence: 'no server failed, and none was at a limit.',
  facts: '',
};
/** The same if no server was measured, or none that is known. */
const NOTHING_KNOWN: Verdict = {
  tone: 'unknown',
  sentence: 'this run has no metrics of a known server, so nothing is known about the servers.',
  facts: '',
};

/** Findings that do not mean that anything is wrong. */
const GOOD_IDS: ReadonlySet<string> = new Set(['spare-capacity']);

/**
 * Writes the verdict on a run. Problems come first, then whether the client's measurements can be trusted, failures, limits of
 * the user that were missed, with what limited the load, and last what limited the load alone. `findings` are ordered: failures first, then by severity.
 */
export function buildVerdict(
  run: Run,
  findings: readonly Finding[],
  maxima: ServerMaxima,
  limits: ReadonlyMap<string, number> = new Map(),
): Verdict {
  const facts = listFacts(run, maxima, limits).join('; ');
  const judge = (index: number): Verdict => ({
    ...judgeFinding(findings[index]!, run),
    facts,
    finding: index + 1,
  });
  const missed = describeMissedLimits(run, limits);
  const serious = listSerious(run, limits)
    .map(isSerious => findings.findIndex(isSerious))
    .find(index => index >= 0);
  const load = findings.findIndex(({ id }) => LOAD_IDS.has(id));
  if (serious !== undefined) {
    const verdict = judge(serious);
    // A server that died at the end of an overloaded run was overloaded before.
    const isLimited = load >= 0 && load !== serious && !GOOD_IDS.has(findings[load]!.id);
    return isLimited
      ? { ...verdict, sentence: `${verdict.sentence} ${describeFinding(findings[load]!, run)}` }
      : verdict;
  }
  if (missed !== undefined) {
    const cause =
      load >= 0 && !GOOD_IDS.has(findings[load]!.id) ? ` ${nameFinding(findings[load]!, run)}.` : '';
    return { tone: 'warning', sentence: `${missed}${cause}`, facts, ...(load >= 0 && { finding: load + 1 }) };
  }
  if (load >= 0) return judge(load);
  const verdict = recognizeServers(run).length > 0 ? NO_FINDING : NOTHING_KNOWN;
  return { ...verdict, sentence: `${verdict.sentence}${describeWarning(findings)}`, facts };
}

/** Names the first warning, which the verdict must not hide; empty without warnings. */
function describeWarning(findings: readonly Finding[]): string {
  const warning = findings.find(({ severity }) => severity === 'warning');
  return warning ? ` Warning: ${warning.title}.` : '';
}

/** The minimum delay of the client, as a share of the median latency, that precedes the findings about servers. */
const SERIOUS_CLIENT_DELAY = 0.5;

/**
 * Reports whether the client lost data, or was so late that its latencies say little about the servers. A delay is not
 * serious if it is shorter than `excessMs`, the excess of the latencies over their limits.
 */
function isClientOverloaded({ id, evidence }: Finding, excessMs: number): boolean {
  return (
    id === 'client-overload' &&
    evidence.some(
      ({ numbers: { share, delay_ms: delayMs = 0 } }) =>
        share === undefined || (share >= SERIOUS_CLIENT_DELAY && delayMs >= excessMs),
    )
  );
}

/** Lists the findings that a verdict is about in any case, most important first. */
function listSerious(run: Run, limits: ReadonlyMap<string, number>): ((finding: Finding) => boolean)[] {
  const excessMs = measureExcess(run, limits);
  return [
    ({ severity }) => severity === 'problem',
    finding => isClientOverloaded(finding, excessMs),
    isFailureFinding,
  ];
}

function judgeFinding(finding: Finding, run: Run): Pick<Verdict, 'tone' | 'sentence'> {
  const tone = GOOD_IDS.has(finding.id) ? 'good' : finding.severity === 'problem' ? 'problem' : 'warning';
  return { tone, sentence: describeFinding(finding, run) };
}

/** The highest values of servers over the run; absent if no server measures them. */
export interface ServerMaxima {
  readonly waiting?: number;
  /** In percent. */
  readonly kvCache?: number;
}

/** Names a finding by its title, with the number of endpoints that it applies to. */
function nameFinding({ title, evidence }: Finding, { endpoints }: Run): string {
  const affected = new Set(evidence.flatMap(({ endpoint }) => endpoint ?? [])).size;
  const share = endpoints.length > 1 && affected > 0 ? ` (${affected} of ${endpoints.length})` : '';
  return `${title[0]!.toUpperCase()}${title.slice(1)}${share}`;
}

/** Describes a finding by its title and its strongest evidence. */
function describeFinding(finding: Finding, run: Run): string {
  const { id, evidence, server } = finding;
  const { endpoints } = run;
  const [first] = evidence;
  const name = first?.endpoint ?? server;
  // Details in parentheses and further parts are in the list of findings.
  const text = first?.text.replace(/ \([^)]*\)/g, '').split(/; |: /)[0] ?? '';
  const place = name === undefined || endpoints.length < 2 || text.includes(name) ? '' : ` (${name})`;
  const heading = nameFinding(finding, run);
  if (text === '') return `${heading}.`;
  // Evidence such as `for 3.0 s` continues the heading.
  const cause = id === 'failed-client-requests' ? describeCause(run) : '';
  return `${heading}${text.startsWith('for ') ? '' : ':'} ${text}${place}${cause}.`;
}

/** Names the most frequent error of the requests, such as `, with the error connect ECONNREFUSED`; empty if it is unknown. */
function describeCause({ profile }: Run): string {
  const causes = [...(profile?.error_summary ?? [])].sort((a, b) => b.count - a.count);
  const { type, code, message } = causes[0]?.error_details ?? {};
  const error = message || [type, code].filter(part => part != null).join(' ');
  if (error === '') return '';
  return `, ${causes.length > 1 ? 'most of them ' : ''}with the error ${JSON.stringify(shorten(error))}`;
}

/** Maximum length of an error in a sentence. The list of findings has the whole text. */
const MAX_ERROR_LENGTH = 80;

function shorten(text: string): string {
  return text.length <= MAX_ERROR_LENGTH ? text : `${text.slice(0, MAX_ERROR_LENGTH - 1)}…`;
}

function listFacts(
  run: Run,
  { waiting, kvCache }: ServerMaxima,
  limits: ReadonlyMap<string, number>,
): string[] {
  const [p50, p99] = ['p50', 'p99'].map(stat => readClientStat(run, 'time_to_first_token', stat));
  const place = run.endpoints.length > 1 ? 'the servers' : 'the server';
  const facts = [
    describeRequests(run, limits),
    p50 === undefined || p99 === undefined
      ? undefined
      : `half of the successful requests had their first token within ${formatMs(p50)}, 99% within ${formatMs(p99)}`,
    waiting === undefined
      ? undefined
      : waiting === 0
        ? `no request was seen waiting in ${place}`
        : `up to ${formatCount(Math.ceil(waiting), 'request')} waited in ${place}`,
    kvCache === undefined ? undefined : `the KV cache was at most ${formatUsage(kvCache)} full`,
  ];
  return facts.filter(fact => fact !== undefined);
}

function formatMs(ms: number): string {
  return formatValue(Number(ms.toPrecision(3)), 'ms');
}

function describeRequests(run: Run, limits: ReadonlyMap<string, number>): string | undefined {
  const completed = readClientStat(run, 'request_count', 'avg');
  if (completed === undefined) return undefined;
  const failed = readClientStat(run, 'error_request_count', 'avg') ?? 0;
  const good = readClientStat(run, 'good_request_fraction', 'avg');
  const total = completed + failed;
  const counts =
    failed === 0
      ? `all ${formatCount(completed, 'request')} succeeded`
      : `${completed} of ${total} requests succeeded`;
  if (good === undefined) return counts;
  const share = good === 1 ? 'all' : `${formatPercent(good)} of ${failed === 0 ? 'them' : 'all'}`;
  return `${counts}, and ${share} ${describeLimits(limits)}`;
}
