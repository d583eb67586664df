import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Scenario } from '../scenario.ts';
import type { LabSession } from '../session.ts';

/** Ways in which a person's Claude Code differs from a fresh one. */
export interface ClaudePlace {
  /** Kebab-case; part of the scenarios' names. */
  readonly name: string;
  readonly start: Partial<Pick<Scenario, 'args' | 'env' | 'files' | 'home'>>;
  /** What is done once the composer is drawn. */
  readonly enter?: (session: LabSession) => Promise<void>;
}

export function permissionMode(mode: string): ClaudePlace['start'] {
  // As root it refuses to run without any permission, unless it is told that it is in a sandbox.
  return { args: ['--permission-mode', mode], env: { IS_SANDBOX: '1' } };
}

/** Beside what the home's own file says. */
export function settings(more: object): ClaudePlace['start'] {
  return { files: (session) => merged(session, join('.claude', 'settings.json'), more) };
}

/** The file for what a person sets inside the program. */
export function preferences(more: object): ClaudePlace['start'] {
  return { files: (session) => merged(session, '.claude.json', more) };
}

function merged({ home }: LabSession, path: string, more: object): Record<string, string> {
  const before = JSON.parse(readFileSync(join(home.home, path), 'utf8')) as object;
  return { [join('home', path)]: JSON.stringify({ ...before, ...more }) };
}

/** A status line of a person's own, made by a command that prints these rows. */
export function statusLine(...rows: readonly string[]): ClaudePlace['start'] {
  const printed = rows.map((row) => `'${row.replaceAll("'", "'\\''")}'`).join(' ');
  return settings({ statusLine: { type: 'command', command: `printf '%s\\n' ${printed}` } });
}
