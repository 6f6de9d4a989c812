import type { Finding, Run } from '@org/analysis';
import { recognizeServers } from '@org/servers';

/** A finding in one line. Text of servers in it is as they said it. */
export interface FindingText {
  readonly title: string;
  /** What was seen in the worst place, and how many others there are. */
  readonly text: string;
}

/** Says what each finding of a run saw; of several endpoints also where, and of several kinds of server of which. */
export function createFindingDescriber({
  endpoints,
  families,
}: Pick<Run, 'endpoints' | 'families'>): (one: Finding) => FindingText {
  const isMixed = recognizeServers(families.keys()).length > 1;
  return ({ title, server, evidence }) => {
    const [worst] = evidence;
    const isPlaced = worst!.endpoint !== undefined && (evidence.length > 1 || endpoints.length > 1);
    const more = evidence.length > 1 ? ` (and ${evidence.length - 1} more)` : '';
    return {
      title: isMixed && server !== undefined ? `${server}: ${title}` : title,
      text: `${isPlaced ? `${worst!.endpoint}: ` : ''}${worst!.text}${more}`,
    };
  };
}
