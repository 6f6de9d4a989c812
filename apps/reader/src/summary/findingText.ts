import type { Finding, Run } from '@org/analysis';
import { recognizeServers } from '@org/servers';

/** A finding in one line. Text from servers is not escaped. */
export interface FindingText {
  readonly title: string;
  /** The worst evidence, and the number of others. */
  readonly text: string;
}

/**
 * Returns a function that describes findings: with the endpoint if there are several, and with the server if
 * there are several kinds.
 */
export function createFindingDescriber({
  endpoints,
  families,
}: Pick<Run, 'endpoints' | 'families'>): (finding: Finding) => FindingText {
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
