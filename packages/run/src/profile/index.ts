export { requestsOf } from './earlierRequests.ts';
export { DATASET_TYPES, type DatasetType, type InputOptions } from './loadInputs.ts';
export { noSuccess } from './noSuccess.ts';
export { profileConfig } from './profileConfig.ts';
export { profileFiles } from './profileFiles.ts';
export type { AskOptions, AskTls, ProfileOptions, ServerOptions } from './profilePlan.ts';
export {
  isWritten,
  type ProfileContext,
  type ProfileResult,
  type RunUnderWay,
  runProfile,
} from './profileRun.ts';
