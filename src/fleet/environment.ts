import { delimiter, isAbsolute } from 'node:path';
import { findNestingMark } from '../agents/nesting-mark.ts';
import { Fault } from '../shared/fault.ts';
import { keepAbsolute } from '../shared/find-on-path.ts';
import { quote } from '../shared/quote.ts';
import { reservedPrefixes } from '../trust/forbidden-variables.ts';

/**
 * The one filter for what an agent gets to see (rule 40, B13), for every backend, for `--env`,
 * profiles and children alike. An agent inherits the environment of whoever launches it, without
 * what tells a program that it runs inside something: the multiplexer's variables, signalbox's own,
 * and the marks that the CLIs leave for their children. A Claude Code 2.1.325 that inherits
 * CLAUDE_CODE_CHILD_SESSION keeps no transcript; Gemini CLI 0.61.0 points git at /dev/null for its
 * shell.
 */
export function filterEnvironment(
  inherited: Readonly<Record<string, string | undefined>>,
  extra: Readonly<Record<string, string>>,
): Record<string, string> {
  const isNested = findNestingMark(inherited) !== undefined;
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(inherited)) {
    if (value === undefined || isOurs(name) || runtimeNames.test(name)) continue;
    if (isNested && isNestedLeftover(name, value)) continue;
    env[name] = value;
  }
  for (const [name, value] of Object.entries(extra)) {
    checkVariable(name, value);
    env[name] = value;
  }
  const { PATH: path, ...others } = env;
  const kept = path === undefined ? undefined : keepAbsolute(path);
  // An empty one would lead to the working folder; without one, programs are found in the system's
  // own places.
  return kept ? { ...others, PATH: kept } : others;
}

/**
 * Entries of a PATH that mean another folder in every folder, and so a repository's own programs in
 * a repository (rule 46). They are dropped wherever they come from. One sentence, or none.
 */
export function describeRelative(path: string | undefined): readonly string[] {
  const dropped = (path ?? '').split(delimiter).filter((entry) => !isAbsolute(entry));
  if (path === undefined || path === '' || dropped.length === 0) return [];
  const shown = dropped.map((entry) => quote(entry, 60)).join(', ');
  return [`relative entries of PATH left out (${shown}): they lead into whatever folder one is in`];
}

/** Refuses what a person asks for by name and must not have: `--env`, profiles. */
export function checkVariable(name: string, value: string): void {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
    throw refused(`${quote(name, 40)} is no name for a variable`, 'Use NAME=value.');
  }
  if (value.includes('\0')) {
    throw refused(`The value of ${name} holds a NUL byte`, 'No environment can hold one.');
  }
  const bytes = Buffer.byteLength(value);
  if (bytes > maxValueBytes) {
    throw refused(
      `The value of ${name} has ${bytes} bytes; at most ${maxValueBytes} are passed on`,
      'Write it to a file and pass its path.',
    );
  }
  const prefix = reservedPrefixes.find((start) => name.toUpperCase().startsWith(start));
  if (prefix === undefined) return;
  throw refused(
    `${name} is not passed on by --env or a profile: ${prefix}… belongs to the CLIs or to signalbox`,
    'Set it in the environment that you launch from, or in the CLI’s own configuration.',
  );
}

const maxValueBytes = 2048;

function isOurs(name: string): boolean {
  return /^(SIGNALBOX_|TMUX$|TMUX_|HERDR_|STY$)/.test(name);
}

/**
 * Set by a CLI for the programs it runs itself; nobody sets them by hand. Names a person does set
 * (CODEX_HOME …) stay.
 */
const runtimeNames = new RegExp(
  `^(${[
    'CLAUDECODE',
    'CLAUDE_CODE_(CHILD_SESSION|ENTRYPOINT|EXECPATH|SESSION_ID|SESSION_ATTENDED|MESSAGING_SOCKET|MESSAGING_TOKEN|SSE_PORT)',
    'CLAUDE_(PID|EFFORT|PROJECT_DIR|PLUGIN_\\w+)',
    'AI_AGENT',
    'CODEX_(CI|THREAD_ID|SESSION_ID|TOOL_CALL_ID|VERSION|SANDBOX\\w*|MANAGED_\\w+|APPLY_PATCH_\\w+)',
    'GEMINI_(CLI|CLI_NO_RELAUNCH|SESSION_ID|CWD|PROJECT_DIR|PLANS_DIR)',
    'QWEN_CODE',
    'QWEN_CODE_(NO_RELAUNCH|SESSION_ID|LAUNCHER_PID|MESSAGING_SOCKET|MESSAGING_TOKEN|MODEL\\w*|PROMPT_ID|PROJECT_DIR|MANAGED_NPM_\\w+|PRIVATE_\\w+|STARTUP_VERSION)',
    'OPENCODE',
    'OPENCODE_PID',
    'COPILOT_(CLI|CLI_\\w+|LOADER_PID|AGENT_SESSION_ID)',
  ].join('|')})$`,
);

/**
 * What such a shell tool also changes or inherits, and a person may well set himself: removed only
 * when the caller is one.
 */
function isNestedLeftover(name: string, value: string): boolean {
  if (
    /^GIT_CONFIG_|^(GIT_ASKPASS|GIT_TERMINAL_PROMPT|GIT_OPTIONAL_LOCKS|GH_PROMPT_DISABLED|AGENT)$/.test(
      name,
    )
  )
    return true;
  if (
    /^(OPENCODE_CONFIG_CONTENT|OPENCODE_SERVER_PASSWORD|QWEN_CODE_SYSTEM_DEFAULTS_PATH)$/.test(name)
  ) {
    return true;
  }
  if (name === 'GIT_EDITOR') return value === 'true';
  return /^(PAGER|GIT_PAGER|GH_PAGER)$/.test(name) && value === 'cat';
}

function refused(what: string, next: string): Fault {
  return new Fault('not-allowed', `${what}.`, next);
}
