/** What a shell would not let itself be told, or changes for what it starts. */
const shellsOwn =
  /^(_|_sbx\w*|PPID|UID|EUID|IFS|OPTIND|PS4|SHLVL|OLDPWD|SHELLOPTS|LINENO|RANDOM|SRANDOM|SECONDS|EPOCHSECONDS|EPOCHREALTIME|HISTCMD|GROUPS|DIRSTACK|FUNCNAME|PIPESTATUS|BASH(OPTS|PID|_\w+)?)$/;

/**
 * Whether a variable of this name comes through any shell as it is. dash 0.5.12 drops those that it
 * could not name itself.
 */
export function passesShell(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !shellsOwn.test(name);
}
