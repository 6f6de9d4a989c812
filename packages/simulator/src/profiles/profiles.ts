import { createDynamoProfile } from './dynamo/dynamo.ts';
import { createLlamaCppProfile } from './llamaCpp.ts';
import type { CreateProfile, ServerKind } from './profile.ts';
import { createSglangProfile } from './sglang.ts';
import { createSglangRouterProfile } from './sglangRouter.ts';
import { createTritonProfile } from './triton.ts';
import { createTrtllmProfile } from './trtllm.ts';
import { createVllmProfile } from './vllm.ts';

/** The function that creates the profile of each kind of server. */
export const PROFILES: Readonly<Record<ServerKind, CreateProfile>> = {
  vllm: createVllmProfile,
  sglang: createSglangProfile,
  trtllm: createTrtllmProfile,
  dynamo: createDynamoProfile,
  triton: createTritonProfile,
  llamacpp: createLlamaCppProfile,
  'sglang-router': createSglangRouterProfile,
};
