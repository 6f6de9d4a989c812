import type { ComparedRequests, ComparedTokens, Reconciliation, ReconciliationFinding } from '@org/formats';
import type { MixedEndpoints } from './mixed.ts';
import type { ClientSide, ServerContext } from './sides.ts';

/** In what client and servers may disagree. */
export type ReconciliationKind =
  | 'other_clients'
  | 'warmup_leakage'
  | 'responses_lost'
  | 'requests_missing'
  | 'mixed_replicas'
  | 'token_counts_differ'
  | 'server_busy_at_start'
  | 'counters_reset'
  | 'run_killed';

type Found = ReconciliationFinding & { readonly kind: ReconciliationKind };

export interface CountsAndContext {
  readonly client: ClientSide;
  readonly server: ServerContext;
  readonly requests: ComparedRequests | undefined;
  readonly tokens: {
    readonly prompt: ComparedTokens | undefined;
    readonly generation: ComparedTokens | undefined;
  };
  readonly byEndpoint: NonNullable<Reconciliation['requests_by_endpoint']>;
  /** How often counters of an endpoint that is compared began again. */
  readonly resets: ReadonlyMap<string, number>;
  /** `isLeftOut`: the figures are those of the other endpoints. */
  readonly mixed: MixedEndpoints & { readonly isLeftOut: boolean };
}

/** What two tokenizers may differ by. */
const TOKENIZER_SHARE = 0.1;

/** In which points client and servers do not agree, and what explains it. */
export function findingsOf(context: CountsAndContext): Found[] {
  const { requests, server } = context;
  const counted = server.cut ? killed(server.cut) : counts(requests, context);
  return [...busyAtStart(context), ...counted, ...mixed(context), ...resets(context), ...tokens(context)];
}

/** Counters that go from one replica to another and back say nothing of requests. */
function counts(requests: ComparedRequests | undefined, context: CountsAndContext): Found[] {
  const { all, isLeftOut } = context.mixed;
  if (!requests || (all.length > 0 && !isLeftOut)) return [];
  return requests.difference >= 0 ? surplus(context, requests) : missing(context, requests);
}

/** What was under way then is on one side only: no difference says anything. */
function killed({ later }: NonNullable<ServerContext['cut']>): Found[] {
  return [
    {
      kind: 'run_killed',
      count: later,
      message: `the run was killed: compared are the requests that had ended when the servers were last scraped (${later} ended later); what was under way then is on one side only`,
    },
  ];
}

/** Nothing of ours is under way when profiling begins: the servers were at something else. */
function busyAtStart({ client, server }: CountsAndContext): Found[] {
  const running = server.runningAtStart ?? 0;
  if (running <= 0) return [];
  const isOurs = client.warmupCutOff > 0;
  return [
    {
      kind: isOurs ? 'warmup_leakage' : 'server_busy_at_start',
      count: running,
      message: isOurs
        ? `the servers were still at ${running} request(s) when profiling began, and ${client.warmupCutOff} of the warm-up had been cut off: give it a longer --warmup-grace-period, or --settle`
        : `the servers were at ${running} request(s) when profiling began, none of them ours`,
    },
  ];
}

/** The servers answered more than the client has answers of. */
function surplus({ client, resets: again }: CountsAndContext, requests: ComparedRequests): Found[] {
  const { difference } = requests;
  // What the servers know to have ended without an answer is not among those that they completed.
  const unexplained = Math.max(0, client.failed - requests.server_unfinished);
  const lost = Math.min(difference, unexplained);
  const foreign = difference - lost;
  const found: Found[] = [];
  if (lost > 0)
    found.push({
      kind: 'responses_lost',
      count: lost,
      message: `the servers completed ${lost} request(s) more than the client has answers of, and ${unexplained} failed or were cancelled at the client: those answers were lost on the way`,
    });
  if (foreign > 0 && client.warmupCutOff > 0)
    found.push({
      kind: 'warmup_leakage',
      count: foreign,
      message: `the servers completed ${foreign} request(s) more than were sent in profiling, and ${client.warmupCutOff} of the warm-up had been cut off before it`,
    });
  // Counters that began again may be those of another replica.
  else if (foreign > 0 && again.size === 0)
    found.push({
      kind: 'other_clients',
      count: foreign,
      message: `the servers completed ${foreign} request(s) that this run did not send (${percent(foreign, requests.server)} of theirs): somebody else uses them, and their figures are not of this load alone`,
    });
  return found;
}

/** The client has more answers than the servers know of. */
function missing({ byEndpoint, resets: again }: CountsAndContext, requests: ComparedRequests): Found[] {
  const count = -requests.difference;
  const idle = byEndpoint.filter(one => one.requests === 0).length;
  const why =
    again.size > 0
      ? 'what they had counted before they began again is lost'
      : 'a load balancer may have sent them to replicas that are not scraped, or the counters came late (--settle)';
  const where =
    idle > 0
      ? `; ${idle} of ${byEndpoint.length} endpoints counted none at all, are they the right ones?`
      : '';
  return [
    {
      kind: 'requests_missing',
      count,
      message: `the servers that were scraped counted ${count} request(s) fewer than were answered (${percent(count, requests.client)}): ${why}${where}`,
    },
  ];
}

function mixed({ mixed: { byAddress, byCounters, isLeftOut } }: CountsAndContext): Found[] {
  const advice = isLeftOut
    ? 'a load balancer mixes replicas; compared are the other endpoints'
    : 'a load balancer mixes replicas, and no count of theirs means anything; scrape each by itself (--server-metrics)';
  const found = (urls: readonly string[], what: string): Found[] =>
    urls.length === 0
      ? []
      : [
          {
            kind: 'mixed_replicas',
            count: urls.length,
            message: `${urls.join(', ')} ${what}: ${advice}`,
          },
        ];
  return [
    ...found(byAddress, 'gave data from several addresses'),
    ...found(byCounters, 'gave counters that fall again and again'),
  ];
}

function resets(context: CountsAndContext): Found[] {
  const urls = [...context.resets.keys()].filter(url => !context.mixed.all.includes(url));
  if (urls.length === 0) return [];
  return [
    {
      kind: 'counters_reset',
      count: urls.length,
      message: `counters of ${urls.join(', ')} began again in profiling: a restart, or replicas behind one address; what they had counted since the scrape before is lost`,
    },
  ];
}

/** Tokens are compared when the requests are the same; then the servers' own counts must agree to the token. */
function tokens({ client, server, requests, tokens: counted }: CountsAndContext): Found[] {
  if (requests?.difference !== 0 || client.failed > 0 || server.cut) return [];
  return Object.entries(counted).flatMap(([kind, count]): Found[] => {
    if (!count || count.difference === 0) return [];
    const share = Math.abs(count.difference) / Math.max(1, count.client);
    if (count.client_source !== 'usage' && share <= TOKENIZER_SHARE) return [];
    const counter = count.client_source === 'usage' ? 'usage of the answers' : count.client_source;
    return [
      {
        kind: 'token_counts_differ',
        count: Math.abs(count.difference),
        message: `${kind} tokens: the servers counted ${count.server}, the client ${count.client} (${counter})`,
      },
    ];
  });
}

function percent(part: number, whole: number): string {
  return `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`;
}
