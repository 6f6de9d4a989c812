import { dynamoProfile } from './dynamo.ts';
import type { ProfileMaker, ServerKind } from './profile.ts';
import { sglangProfile } from './sglang.ts';
import { tritonProfile } from './triton.ts';
import { trtllmProfile } from './trtllm.ts';
import { vllmProfile } from './vllm.ts';

/** The profile of each kind of server. */
export const profiles: Readonly<Record<ServerKind, ProfileMaker>> = {
  vllm: vllmProfile,
  sglang: sglangProfile,
  trtllm: trtllmProfile,
  dynamo: dynamoProfile,
  triton: tritonProfile,
};
