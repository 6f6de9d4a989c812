import { formatCount } from '@org/core';

/** Requests whose input could not be counted with the chat template. */
export interface TemplateProblems {
  readonly requests: number;
  /** The reason of the first of them. */
  readonly reason: string;
}

/** Counts another request. */
export function addTemplateProblem(problems: TemplateProblems | undefined, reason: string): TemplateProblems {
  return { requests: (problems?.requests ?? 0) + 1, reason: problems?.reason ?? reason };
}

/** Adds the numbers of several threads; undefined if there are no problems. */
export function mergeTemplateProblems(
  threads: readonly (TemplateProblems | undefined)[],
): TemplateProblems | undefined {
  const all = threads.filter(problems => problems !== undefined);
  if (all.length === 0) return undefined;
  return { requests: all.reduce((sum, { requests }) => sum + requests, 0), reason: all[0]!.reason };
}

/** Describes the problems as a warning. */
export function describeTemplateProblems({ requests, reason }: TemplateProblems): string {
  return `the input of ${formatCount(requests, 'request')} was counted without a chat template, because ${reason}; set --tokenizer to the folder of a tokenizer with a template, or omit --apply-chat-template`;
}
