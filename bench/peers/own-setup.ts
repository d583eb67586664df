import { dirname, join } from 'node:path';

/** Where the run would take place, as far as the reader's own set-up could be seen from there. */
export interface Ground {
  /** The homes and working folders of all tools lie below this one. */
  readonly folder: string;
  /** Nothing but loopback, and of that only the run's own. */
  readonly isClosed: boolean;
  readonly exists: (path: string) => boolean;
  /** Something answers at this port of loopback. */
  readonly isTaken: (port: number) => Promise<boolean>;
}

/** CLIs look for these in every folder above the one they work in. */
const inFoldersAbove = [
  'CLAUDE.md',
  'CLAUDE.local.md',
  'AGENTS.md',
  '.claude',
  '.codex',
  '.mcp.json',
  '.git',
];

/** Read whatever HOME says: Claude Code's and Codex' settings of a machine, and tmux's. */
const ofTheMachine = ['/etc/claude-code', '/etc/codex', '/etc/tmux.conf'];

/** The port of a `cao-server` that was told nothing; its MCP server asks there, too. */
export const caoPort = 9889;

/**
 * Why the run must not start: each line names something of the reader's that a tool or a CLI would
 * see or use. Empty where it sees nothing.
 */
export async function findOwnSetup(ground: Ground): Promise<readonly string[]> {
  const found: string[] = [];
  for (const folder of foldersAbove(ground.folder)) {
    for (const name of inFoldersAbove) {
      const path = join(folder, name);
      if (ground.exists(path)) found.push(`the CLIs would read ${path}: choose another TMPDIR`);
    }
  }
  for (const path of ofTheMachine) {
    if (ground.exists(path)) found.push(`the CLIs or tmux would read ${path}`);
  }
  if (!ground.isClosed && (await ground.isTaken(caoPort))) {
    found.push(`something answers at port ${caoPort}, perhaps a CAO of yours: stop it first`);
  }
  return found;
}

/** The folder itself, and all above it. */
function foldersAbove(folder: string): readonly string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...foldersAbove(above)];
}
