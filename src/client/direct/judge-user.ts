import { readFileSync } from 'node:fs';
import type { Epoch } from '../../agents/epoch.ts';
import { readTerminal } from '../../agents/epoch-terminal.ts';
import { findNestingMark } from '../../agents/nesting-mark.ts';
import { hasControllingTerminal } from '../../shared/controlling-terminal.ts';
import { listAncestors, readEnvironment } from '../../shared/process-tree.ts';

type Env = Readonly<Record<string, string | undefined>>;

/**
 * What shows that a command is not the user's own, in words; undefined: it is (rule 52). It is a
 * guard against mistakes, not a wall: agents run as the user. The agent whose processes are above
 * us was looked for before.
 */
export function findObstacle(env: Env, lives: readonly Epoch[]): string | undefined {
  const mark = findCodingCli(env);
  if (mark !== undefined) return mark;
  if (!hasControllingTerminal()) return 'it has no terminal, so it is a script';
  return isAgentsTerminal(lives) ? 'this is the terminal of an agent' : undefined;
}

/** A coding CLI sets a variable in all that it starts; one that people set themselves is none. */
export function findCodingCli(env: Env): string | undefined {
  const own = findNestingMark(env);
  if (own !== undefined) return `${own} is set, so a coding CLI has started it`;
  for (const { pid } of listAncestors()) {
    // An environment that cannot be read (sshd, login) says nothing against the person.
    const found = findNestingMark(readEnvironment(pid) ?? {});
    if (found !== undefined) return `process ${pid} has started it, in which ${found} is set`;
  }
  return undefined;
}

/** An agent runs in the very terminal that the person would be at. */
function isAgentsTerminal(lives: readonly Epoch[]): boolean {
  const here = readTerminalNumber('self');
  if (here === undefined) return false;
  return lives.some(({ terminal = '' }) => {
    const pid = readTerminal(terminal)?.pid;
    return pid !== undefined && readTerminalNumber(String(pid)) === here;
  });
}

/**
 * The number of a process's controlling terminal; undefined without one, and where the system does
 * not tell.
 */
function readTerminalNumber(pid: string): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const number = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[4]);
    return number > 0 ? number : undefined;
  } catch {
    // It has ended, or there is no /proc here.
    return undefined;
  }
}
