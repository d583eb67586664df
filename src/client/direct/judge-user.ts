import type { Epoch } from '../../agents/epoch.ts';
import { readTerminal } from '../../agents/epoch-terminal.ts';
import { findNestingMark } from '../../agents/nesting-mark.ts';
import { hasControllingTerminal } from '../../shared/controlling-terminal.ts';
import { listAncestors, readEnvironment } from '../../shared/process-tree.ts';
import { readTerminalNumber } from '../../shared/processes.ts';

type Env = Readonly<Record<string, string | undefined>>;

/**
 * What shows that a command is not the user's own, in words; undefined: it is (rule 52). It is a
 * guard against mistakes, not a wall: agents run as the user. The agent whose processes are above
 * us was looked for before.
 */
export function findObstacle(env: Env, lives: readonly Epoch[]): string | undefined {
  const starter = findStarter(env);
  if (starter !== undefined) return starter;
  if (!hasControllingTerminal()) return 'it has no terminal, so it is a script';
  return isAgentsTerminal(lives) ? 'this is the terminal of an agent' : undefined;
}

/**
 * A coding CLI sets a variable in all that it starts; one that people set themselves is none. An
 * agent's own variables speak against the person as well, also where the agent is no longer known.
 */
export function findStarter(env: Env): string | undefined {
  const own = findMark(env);
  if (own !== undefined) {
    const who = agentVariables.includes(own) ? 'an agent' : 'a coding CLI';
    return `${own} is set, so ${who} has started it`;
  }
  for (const { pid } of listAncestors()) {
    // An environment that cannot be read (sshd, login) says nothing against the person.
    const found = findMark(readEnvironment(pid) ?? {});
    if (found !== undefined) return `process ${pid} has started it, in which ${found} is set`;
  }
  return undefined;
}

function findMark(env: Env): string | undefined {
  // `SIGNALBOX_AGENT=user` says nothing against the user.
  const mark = findNestingMark(env);
  return mark ?? agentVariables.find((name) => env[name] && env[name] !== 'user');
}

const agentVariables = ['SIGNALBOX_AGENT', 'SIGNALBOX_TOKEN', 'SIGNALBOX_EPOCH'];

/** An agent runs in the very terminal that the person would be at. */
function isAgentsTerminal(lives: readonly Epoch[]): boolean {
  const here = readTerminalNumber(process.pid);
  if (here === undefined) return false;
  return lives.some(({ terminal = '' }) => {
    const pid = readTerminal(terminal)?.pid;
    return pid !== undefined && readTerminalNumber(pid) === here;
  });
}
