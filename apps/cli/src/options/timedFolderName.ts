/** Formats the default name of an artifact folder, such as `collect-20261121-081530`, in local time. */
export function formatTimedFolderName(command: string, time: Date): string {
  const local = new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString();
  return `${command}-${local.slice(0, 10).replaceAll('-', '')}-${local.slice(11, 19).replaceAll(':', '')}`;
}
