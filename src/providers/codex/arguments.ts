/** What a person wrote after `--`, sorted by who must get it (Codex 0.166.0). */
export interface PersonArguments {
  /** For the terminal program. */
  readonly flags: readonly string[];
  /** Those of them that change the configuration: the server must have them as well. */
  readonly serverFlags: readonly string[];
  /** A first prompt, or `resume <conversation>`. */
  readonly words: readonly string[];
  /** By name: not seen to work, or refused, between terminal program and server. */
  readonly plain: readonly string[];
  /** `exec`, `login` …: nothing of ours belongs there. */
  readonly isOtherCommand: boolean;
}

export function readArguments(args: readonly string[]): PersonArguments {
  const flags: string[] = [];
  const serverFlags: string[] = [];
  const words: string[] = [];
  const plain = new Set<string>();
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? '';
    if (arg === '--') {
      words.push(...args.slice(at));
      break;
    }
    if (!arg.startsWith('-')) {
      words.push(arg);
      continue;
    }
    const name = arg.startsWith('--') ? (arg.split('=', 1)[0] ?? arg) : arg;
    const kind = known.get(name);
    if (kind === undefined) plain.add(name);
    const value = kind?.takesValue && name === arg ? args[++at] : undefined;
    const whole = value === undefined ? [arg] : [arg, value];
    flags.push(...whole);
    if (kind?.isForServer) serverFlags.push(...whole);
  }
  const isOtherCommand = otherCommands.has(words[0] ?? '');
  if (isOtherCommand) plain.add(words[0] ?? '');
  return { flags, serverFlags, words, plain: [...plain], isOtherCommand };
}

interface Kind {
  readonly takesValue: boolean;
  readonly isForServer: boolean;
}

const configuring: Kind = { takesValue: true, isForServer: true };
const switching: Kind = { takesValue: false, isForServer: true };
const choosing: Kind = { takesValue: true, isForServer: false };
const asking: Kind = { takesValue: false, isForServer: false };

/**
 * Seen to work with `--remote`, in one of their spellings. Not here: `-p`, which the server
 * refuses, and `-C` with `--add-dir`, of which the terminal program ends.
 */
const known = new Map<string, Kind>([
  ['-c', configuring],
  ['--config', configuring],
  ['--enable', configuring],
  ['--disable', configuring],
  ['--strict-config', switching],
  ['--dangerously-bypass-hook-trust', switching],
  ['-m', choosing],
  ['--model', choosing],
  ['-a', choosing],
  ['--ask-for-approval', choosing],
  ['-s', choosing],
  ['--sandbox', choosing],
  ['--search', asking],
  ['--dangerously-bypass-approvals-and-sandbox', asking],
  ['--no-alt-screen', asking],
  // Refused beside `--remote`, and kept by it: the server is this agent's own.
  ['--no-daemon', asking],
]);

const otherCommands = new Set(
  `agents exec e review login logout mcp plugin app-server remote-control completion update doctor sandbox debug apply a
  queue archive delete migrate-rollouts migrate-nfs-db unarchive fork cloud exec-server features help`.split(
    /\s+/,
  ),
);
