import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readFileTextSync } from '../../shared/open-file.ts';
import type { HookCommand, HookWish } from '../hook-command.ts';
import type { LaunchPlan, LaunchRequest } from '../launch-plan.ts';
import { askFirst, planRoleFiles } from './role.ts';
import { kimiHome } from './session-files.ts';

/** `Stop` is where a message can be handed over; the others tell what goes on. */
export const hookEvents = [
  'SessionStart',
  'UserPromptSubmit',
  'Stop',
  'StopFailure',
  'SubagentStart',
  'SubagentStop',
] as const;

/**
 * A home of this run with our hooks in it: Kimi Code 2.1.0 takes hooks from its configuration
 * alone. Everything in it is a link to the user's own entry but the configuration, which is a copy
 * with our hooks at its end. What it costs: what a person changes in the configuration, a file that
 * Kimi writes anew by a rename (workspaces.json), and what is first made in this run (a login) go
 * with the run; nothing is ever written back.
 *
 * Undefined where that would break something, and the agent is started as a person would: its
 * messages then wait until it is idle. That is so before Kimi was ever used (conversations would be
 * kept in the run folder, and go with it), and for a configuration that cannot be read, or to which
 * no hooks can be added by adding lines.
 */
export function planHookHome(
  request: LaunchRequest,
): (Pick<LaunchPlan, 'env' | 'files' | 'overlays'> & { readonly hasRole: boolean }) | undefined {
  const { env, runFolder, hookCommand } = request;
  const home = kimiHome(env);
  const config = readConfig(join(home, configFile));
  const isUsed = kept.every((name) => existsSync(join(home, name)));
  if (config === undefined || !isUsed || refusesHooks.test(config)) return undefined;
  const role = planRoleFiles(request, home);
  const files = [
    { path: configFile, text: addHooks(askFirst(request, config), hookCommand, unlessNested(env)) },
    ...(role ?? []),
  ];
  return {
    env: { KIMI_CODE_HOME: join(runFolder, folder) },
    overlays: [{ from: home, to: folder, except: files.map(({ path }) => path) }],
    files: files.map(({ path, text }) => ({ path: `${folder}/${path}`, text })),
    hasRole: role !== undefined,
  };
}

const folder = 'kimi';
const configFile = 'config.toml';
/** Made with the first conversation. */
const kept = ['sessions', 'session_index.jsonl'];
/** An array in one piece cannot be added to, and a table of that name is something else. */
const refusesHooks =
  /^[ \t]*(?:hooks[ \t]*[.=]|"hooks"|'hooks'|\[[ \t]*["']?hooks["']?[ \t]*[\].])/m;
/** Seconds. Our command ends within 1 s (rule 23); this is for a machine that stands still. */
const hookTimeout = 5;

/**
 * The variable that names this home reaches the shell tool, too. A Kimi that the model starts there
 * runs our hooks with this agent's identity; Kimi leaves no mark of its own for it (2.1.0), but
 * this, which tells it apart unless the user has it set himself. Its hooks change nothing
 * (rule 38).
 */
function unlessNested(env: LaunchRequest['env']): HookWish {
  return env[nestedMark] === undefined ? { unlessSet: nestedMark } : {};
}

const nestedMark = 'GIT_TERMINAL_PROMPT';

function addHooks(config: string, hookCommand: HookCommand, wish: HookWish): string {
  const entries = hookEvents.map((event) => {
    const lines = [
      '[[hooks]]',
      `event = ${JSON.stringify(event)}`,
      `command = ${JSON.stringify(hookCommand(event, event === 'Stop' ? { ...wish, saysBy: 'code' } : wish))}`,
      `timeout = ${hookTimeout}`,
    ];
    return `${lines.join('\n')}\n`;
  });
  return [`${config.trimEnd()}\n`, ...entries].join('\n');
}

function readConfig(path: string): string | undefined {
  try {
    return readFileTextSync(path);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? '' : undefined;
  }
}
