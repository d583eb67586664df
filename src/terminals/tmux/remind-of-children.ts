/**
 * tmux 3.3a sometimes loses the SIGCHLD of a pane's program, which then is a zombie and keeps its
 * exit code to itself until the next one. Makes the server wait for its children once more. It
 * handles the signal anyway; another one harms nothing.
 */
export function remindOfChildren(server: string): void {
  const pid = Number(server.split(':')[0]);
  if (!Number.isInteger(pid) || pid <= 1) return;
  try {
    process.kill(pid, 'SIGCHLD');
  } catch {
    // It is gone: the connection will tell.
  }
}
