import { type WriteResult, writeFileAtomic } from '@org/formats/write';
import type { ProfilePlan } from '../plan/profilePlan.ts';
import type { RunContext } from '../runContext.ts';
import { MAX_CONVERSATIONS, writeInputs } from './inputsFile.ts';
import type { ReadyLoad } from './load.ts';
import type { NetworkLatency } from './networkLatency.ts';
import type { ProfilePaths } from './profilePaths.ts';
import type { ProfileOptions, ProfileResult } from './profileResult.ts';

/** Writes the files that repeat or describe the exports: the inputs, the configuration and the console output. */
export async function writeFurtherFiles(
  result: Omit<ProfileResult, 'isWritten'>,
  load: ReadyLoad,
  run: {
    readonly context: RunContext<ProfilePlan>;
    readonly paths: ProfilePaths;
    readonly formatConsole: ProfileOptions['formatConsole'];
    readonly network: NetworkLatency;
    readonly config: string | undefined;
  },
): Promise<WriteResult[]> {
  const { context, paths, formatConsole, network, config } = run;
  const dataset = await load.openInputs();
  const inputs = dataset && (await writeInputs(paths.inputs, context.plan, dataset, result.load));
  if (inputs && inputs.omitted > 0)
    context.emit({ type: 'inputs_limited', omitted: inputs.omitted, maxConversations: MAX_CONVERSATIONS });
  const roundTrips = await network.write(paths.networkLatency);
  const text = formatConsole?.(result);
  return [
    ...(inputs ? [inputs.file] : []),
    ...(roundTrips ? [roundTrips] : []),
    ...(config === undefined ? [] : [await writeFileAtomic(paths.runConfig, config)]),
    ...(text === undefined ? [] : [await writeFileAtomic(paths.console, text)]),
  ];
}
