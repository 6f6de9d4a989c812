/** Reasons by error code of Node. */
const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EISDIR: 'is a folder, not a file',
  ENOTDIR: 'part of the path is not a folder',
  ELOOP: 'too many levels of symbolic links',
  ENAMETOOLONG: 'the file name is too long',
  EROFS: 'the file system is read-only',
  EIO: 'input/output error',
  EMFILE: 'too many open files',
};

/**
 * Describes why the file system rejected an operation. For an error code without an entry, returns the
 * error's own message.
 */
export function describeSystemError(error: NodeJS.ErrnoException): string {
  const { code = '', message } = error;
  return Object.hasOwn(REASONS, code) ? REASONS[code]! : message;
}
