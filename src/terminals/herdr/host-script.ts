import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { passesShell } from '../shell-names.ts';

/**
 * What runs in a pane in the program's stead, as its parent: herdr (0.8.0) closes a pane with its
 * program, and with it go the last screen and the exit code. The host makes the environment what
 * was wanted, notes the program's pid, waits for it, notes how it ended, and keeps the pane until
 * it is closed or its folder is gone. Values are read as data from a file that is removed at once:
 * no shell interprets them, and they stand in no list of processes. Only names of variables do.
 *
 * `$1` is the folder of this terminal, `$2` the program's umask, then comes the program. In the
 * folder: `env` (name and value in turn, a value with a backslash is in the form of printf's %b),
 * `keep` (what the terminal itself sets), `behind` for a helper.
 *
 * A terminal is forgotten by moving its folder and then reading the pid. The program's shell does
 * the reverse: it writes its pid, then looks whether the folder is there. So one of the two always
 * knows of the other, and no program goes on that nobody knows.
 *
 * A helper runs in a process group of its own, behind the host: herdr (0.8.0) takes what is in
 * front of a terminal for an agent if it is called like one, and would show it among the person's
 * agents. Its input is open and silent, since nothing behind may read from the terminal or is
 * stopped for changing it. It ends with its host, unless that is killed.
 */
const script = `#!/bin/sh
# signalbox: the host of one program in a herdr pane. Its own names begin with _sbx: what the program is to have is exported here.
_sbx_folder=$1
_sbx_umask=$2
shift 2
echo "$$" > "$_sbx_folder/host"
trap : INT QUIT
set -f
IFS='
'
_sbx_keep=' '
while read -r _sbx_name; do _sbx_keep="$_sbx_keep$_sbx_name "; done < "$_sbx_folder/keep"
for _sbx_name in $(awk 'BEGIN { for (name in ENVIRON) print name }'); do
  case $_sbx_keep in *" $_sbx_name "*) ;; *) set -- -u "$_sbx_name" "$@" ;; esac
done
exec 3< "$_sbx_folder/env"
rm -f "$_sbx_folder/env"
_sbx_run() {
  while IFS= read -r _sbx_name && IFS= read -r _sbx_value; do
    case $_sbx_value in
      *\\\\*) _sbx_value=$(printf '%b.' "$_sbx_value"); _sbx_value=\${_sbx_value%.} ;;
    esac
    export "$_sbx_name=$_sbx_value"
  done <&3
  exec /bin/sh -c '_sbx=$1; shift; echo "$$" > "$_sbx/pid" || exit; [ -d "$_sbx" ] || exit; umask "$1"; shift; exec /usr/bin/env "$@"' sh "$_sbx_folder" "$_sbx_umask" "$@" 3<&-
}
if [ -e "$_sbx_folder/behind" ]; then
  _sbx_input="$_sbx_folder/silence"
  mkfifo "$_sbx_input" || _sbx_input=/dev/null
  set -m
  trap '' TTIN TTOU
  _sbx_run "$@" 0<> "$_sbx_input" &
  _sbx_program=$!
  # Not by exit: dash refuses that while a job is stopped, and for good.
  trap 'kill -s HUP -- "-$_sbx_program"; kill -s CONT -- "-$_sbx_program"; exec /bin/sh -c :' HUP TERM
  # A program that is stopped makes wait return at once.
  while kill -0 "$_sbx_program" 2> /dev/null; do
    wait "$_sbx_program"
    _sbx_code=$?
    kill -0 "$_sbx_program" 2> /dev/null && sleep 1
  done
  # Its number may be another's from now on.
  trap - HUP TERM
else
  (_sbx_run "$@")
  _sbx_code=$?
fi
[ -d "$_sbx_folder" ] && echo "$_sbx_code" > "$_sbx_folder/exit"
while [ -d "$_sbx_folder" ]; do sleep 1; done
`;

/** Beside the terminals' folders; named by its content, so that one in use is never changed. */
export function installHost(folder: string): string {
  const name = `host-${createHash('sha256').update(script).digest('hex').slice(0, 12)}.sh`;
  const path = join(folder, name);
  if (existsSync(path)) return path;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(`${path}.new`, script, { mode: 0o700 });
  renameSync(`${path}.new`, path);
  return path;
}

/** Set by herdr for each pane; a caller's own would name a terminal that it is not in. */
const ownedByHerdr = [
  'HERDR_ENV',
  'HERDR_SOCKET_PATH',
  'HERDR_BIN_PATH',
  'HERDR_WORKSPACE_ID',
  'HERDR_TAB_ID',
  'HERDR_PANE_ID',
  'TERM',
  'COLORTERM',
];
/** Of another multiplexer, in which the program is not. */
const ofOthers = new Set(['TMUX', 'TMUX_PANE', 'TERM_PROGRAM', 'TERM_PROGRAM_VERSION', 'PWD']);

export interface HostFiles {
  readonly env: string;
  readonly keep: string;
  /** What the program has of it. */
  readonly values: Readonly<Record<string, string>>;
  /** For env(1), before the program. */
  readonly words: readonly string[];
}

/** By these a program tells herdr about its pane; a helper's pane is nobody's to tell about. */
const ownAddress = /^HERDR_/;

/**
 * A name that no shell can hold goes as a word of env(1), which other users of the machine may
 * read: there are hardly any.
 */
export function prepareEnvironment(
  env: Readonly<Record<string, string>>,
  isHelper = false,
): HostFiles {
  const passed = Object.entries(env).filter(
    ([name]) => !ownedByHerdr.includes(name) && !ofOthers.has(name),
  );
  const isPlain = ([name]: [string, string]): boolean => passesShell(name);
  const plain = passed.filter(isPlain);
  const kept = ownedByHerdr.filter((name) => !isHelper || !ownAddress.test(name));
  return {
    env: plain.map(([name, value]) => `${name}\n${encodeValue(value)}\n`).join(''),
    keep: [...kept, ...plain.map(([name]) => name)].map((name) => `${name}\n`).join(''),
    values: Object.fromEntries(passed),
    words: passed.filter((entry) => !isPlain(entry)).map(([name, value]) => `${name}=${value}`),
  };
}

function encodeValue(value: string): string {
  if (!/[\\\n]/.test(value)) return value;
  return value.replaceAll('\\', '\\0134').replaceAll('\n', '\\0012');
}

/** `env` would take a program whose path holds `=` for one more variable. */
export function programWords(argv: readonly string[]): readonly string[] {
  return argv[0]?.includes('=') ? ['/bin/sh', '-c', 'exec "$0" "$@"', ...argv] : argv;
}
