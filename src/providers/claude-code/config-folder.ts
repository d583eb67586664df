import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where a running Claude Code keeps its sessions and transcripts, by its own environment. */
export function configFolder(env: Readonly<Record<string, string>>): string {
  return env['CLAUDE_CONFIG_DIR'] || join(env['HOME'] || homedir(), '.claude');
}
