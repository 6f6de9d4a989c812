const DESCRIPTIONS_BY_CODE: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EISDIR: 'is a folder, not a file',
  ENOTDIR: 'part of the path is not a folder',
  ELOOP: 'too many levels of symbolic links',
  EEXIST: 'the file already exists',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  ENAMETOOLONG: 'the file name is too long',
  EIO: 'input/output error',
  EMFILE: 'too many open files',
  EADDRINUSE: 'the port is in use',
  EADDRNOTAVAIL: 'the address does not belong to this host',
  ENOTFOUND: 'unknown host',
};

/**
 * Describes why a system call failed, such as opening a file. For an error without a known error code,
 * returns its message.
 */
export function describeSystemError(error: unknown): string {
  const { code, message } = error as { readonly code?: unknown; readonly message: string };
  return (
    (typeof code === 'string' && Object.hasOwn(DESCRIPTIONS_BY_CODE, code)
      ? DESCRIPTIONS_BY_CODE[code]
      : undefined) ?? message
  );
}
