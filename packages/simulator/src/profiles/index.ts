import type { ProfileMaker, ServerKind } from './profile.ts';
import { vllmProfile } from './vllm.ts';

/** The profile of each kind of server. */
export const profiles: Readonly<Partial<Record<ServerKind, ProfileMaker>>> = {
  vllm: vllmProfile,
};
