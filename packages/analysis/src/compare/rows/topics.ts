import type { SeriesType } from '../../run/series.ts';

/** A part of the work of a server. Changes of metrics with the same topic usually have one cause. */
export type Topic =
  | 'failures'
  | 'queueing'
  | 'token generation'
  | 'request latency'
  | 'connections'
  | 'frontend'
  | 'batch'
  | 'throughput';

/** Topics by metric name. The first match applies. */
const TOPIC_PATTERNS: readonly (readonly [Topic, RegExp])[] = [
  ['failures', /error|fail|abort|preempt|retract|timeout|cancel|reject|dropped|evict|recomputed|overflow/],
  ['queueing', /waiting|queue|pending|first_(?:output_)?token|ttft|prefill_time|stream_(?:setup|prefill)/],
  [
    'token generation',
    /inter_(?:token|chunk)|(?:^|_)itl|per_output_token|tpot|decode_(?:time|duration)|second_token/,
  ],
  [
    'request latency',
    /(?:request|effective)_latency|inference_time|request_duration|http_req_(?:duration|total|receiving)|per_user/,
  ],
  ['connections', /http_req_(?:blocked|connecti|dns|sending)|credit_|replay_sched|handshake/],
  ['frontend', /event_loop|tokenize|stage_duration|work_handler_time/],
  ['batch', /running|cache_usage|kv_cache|in_?flight|concurrency|active(?!.*throughput)|iteration_tokens/],
  [
    'throughput',
    /throughput|goodput|tokens|_requests|request_(?:success|count)|inference_count|flops|_bytes_|total_[io]sl|prefix_cache/,
  ],
];

/** The parts of a comparison row that its topic depends on. */
interface TopicRow {
  readonly name: string;
  readonly type: SeriesType;
  readonly stat: string;
  readonly verdict: string;
  readonly base: number;
  readonly new: number;
}

/** Rows with the same cause, most important first. */
export interface RowGroup<Row> {
  readonly topic: Topic | null;
  readonly rows: readonly Row[];
}

/**
 * Groups the changed rows by their probable cause. Rows have the same cause if they have the same topic and verdict. A
 * change of the request latency follows from the change of queueing or of token generation that explains most of it.
 * Groups are in the order of their first rows.
 */
export function groupRows<Row extends TopicRow>(rows: readonly Row[]): RowGroup<Row>[] {
  const latencyCause = findLatencyCause(rows);
  const groups = new Map<string, { topic: Topic | null; rows: Row[] }>();
  for (const [index, row] of rows.entries()) {
    if (!isChanged(row)) continue;
    const topic = findTopic(row.name);
    const cause = topic === 'request latency' ? (latencyCause.get(row.verdict) ?? topic) : topic;
    const key = cause === undefined ? `row ${index}` : `${cause} ${row.verdict}`;
    const group = groups.get(key) ?? { topic: cause ?? null, rows: [] };
    groups.set(key, group);
    group.rows.push(row);
  }
  return [...groups.values()].map(({ topic, rows: members }) => {
    // The metric that describes the cause comes first.
    const isCause = (row: Row): number => Number(findTopic(row.name) === topic);
    return { topic, rows: members.sort((a, b) => isCause(b) - isCause(a)) };
  });
}

function isChanged({ verdict }: TopicRow): boolean {
  return verdict === 'worse' || verdict === 'better' || verdict === 'changed';
}

function findTopic(name: string): Topic | undefined {
  return TOPIC_PATTERNS.find(([, pattern]) => pattern.test(name))?.[0];
}

/** Finds the topic that a change of the request latency follows from, by verdict. */
function findLatencyCause(rows: readonly TopicRow[]): ReadonlyMap<string, Topic> {
  const causes = new Map<string, Topic>();
  for (const verdict of ['worse', 'better']) {
    const changed = rows.filter(row => row.verdict === verdict);
    const topics = new Set(changed.map(({ name }) => findTopic(name)));
    const candidates = (['queueing', 'token generation'] as const).filter(topic => topics.has(topic));
    if (candidates.length === 1) causes.set(verdict, candidates[0]!);
    if (candidates.length !== 2) continue;
    const share = computeFirstTokenShare(rows);
    if (share !== undefined) causes.set(verdict, share >= 0.5 ? 'queueing' : 'token generation');
  }
  return causes;
}

/** Returns the share of the change of the request latency that occurs before the first token. */
function computeFirstTokenShare(rows: readonly TopicRow[]): number | undefined {
  for (const type of ['histogram', 'client']) {
    const findChange = (pattern: RegExp): number | undefined => {
      const row = rows.find(
        ({ name, stat, type: own }) => own === type && stat === 'avg' && pattern.test(name),
      );
      return row && row.new - row.base;
    };
    const latency = findChange(/(?:^|:|_)(?:e2e_)?request_latency/);
    const firstToken = findChange(/time_to_first_token/);
    if (latency && firstToken !== undefined) return firstToken / latency;
  }
  return undefined;
}
