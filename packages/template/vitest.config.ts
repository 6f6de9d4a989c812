import { sharedWithProcesses } from '../../vitest.shared.ts';

export default sharedWithProcesses;
