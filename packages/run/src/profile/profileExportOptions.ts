import type { Compatibility } from '@org/record';

/** Folder, prefix and compatibility of the client's exports. */
export interface ProfileExportOptions {
  readonly folder: string;
  readonly prefix?: string | undefined;
  readonly compatibility?: Compatibility | undefined;
}
