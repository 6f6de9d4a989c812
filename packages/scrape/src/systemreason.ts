const BY_CODE: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is no folder',
  ELOOP: 'its symbolic links go in a circle',
};

/** Why the system could not do something with a file, in words. */
export function systemReason(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return (code !== undefined && Object.hasOwn(BY_CODE, code) ? BY_CODE[code] : undefined) ?? message;
}
