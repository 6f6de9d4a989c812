import type { FailedWrite } from '@org/formats/write';

/** Reports whether a write failed because there was no space left, on the disk or within the quota. */
export function isOutOfSpace({ reason }: FailedWrite): boolean {
  return reason === 'disk_full' || reason === 'quota_exceeded';
}
