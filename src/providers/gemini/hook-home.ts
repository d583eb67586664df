import { existsSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { asArray, asObject, type Json, parseObject } from '../../shared/json.ts';
import { readFileTextSync } from '../../shared/open-file.ts';
import type { HookCommand } from '../hook-command.ts';
import type { LaunchPlan, LaunchRequest } from '../launch-plan.ts';
import { addRole, runHome, writeRole } from './role.ts';

/** `AfterAgent` is where a message can be handed over; the others tell what goes on. */
export const hookEvents = ['SessionStart', 'BeforeAgent', 'AfterAgent', 'Notification'] as const;

/**
 * A home of this run with our hooks and tools in it: Gemini CLI 0.61.0 takes hooks for one run from
 * nowhere else (its files of defaults must belong to root). Everything in it is a link to the
 * user's own entry but his settings, which are a copy with ours added, and whom he trusts, which he
 * may say here for good. What it costs: settings that a person changes in this run, files that
 * Gemini writes anew by a rename (projects.json), and what is first made in it (a login) go with
 * the run; nothing is ever written back.
 *
 * Undefined where that would break something, and the agent is started as a person would: its
 * messages then wait until it is idle. That is so before Gemini was ever used (conversations would
 * be kept in the run folder, and go with it), when the settings cannot be read, and in the home
 * folder itself, whose settings would count twice.
 */
export function planHookHome(
  request: LaunchRequest,
): Pick<LaunchPlan, 'env' | 'files' | 'overlays'> | undefined {
  const { env, cwd, runFolder, hookCommand } = request;
  const home = env['GEMINI_CLI_HOME'] || env['HOME'] || homedir();
  const folder = join(home, '.gemini');
  const settings = readSettings(join(folder, 'settings.json'));
  if (settings === undefined || !existsSync(join(folder, 'tmp'))) return undefined;
  if (isSameFolder(home, cwd)) return undefined;
  const trust = env['GEMINI_CLI_TRUSTED_FOLDERS_PATH'] || join(folder, 'trustedFolders.json');
  return {
    env: {
      GEMINI_CLI_HOME: join(runFolder, 'home'),
      GEMINI_CLI_TRUSTED_FOLDERS_PATH: trust,
    },
    overlays: [
      // Besides its own folder it looks for these beside it.
      { from: home, to: 'home', only: ['.agents', '.env'] },
      { from: folder, to: runHome, except: ['settings.json'] },
    ],
    files: [
      {
        path: `${runHome}/settings.json`,
        text: `${JSON.stringify(addRole(addHooks(keepRecords(settings), hookCommand), request, folder), undefined, 2)}\n`,
      },
      ...writeRole(request),
    ],
  };
}

/** Milliseconds. Our command ends within 1 s (rule 23); this is for a machine that stands still. */
const hookTimeout = 5000;
/**
 * The variable that names this home reaches the shell tool, too. A Gemini that the model starts
 * there runs our hooks with this agent's identity; the tool's mark tells it apart, and its hooks
 * change nothing (rule 38).
 */
const unlessNested = { unlessSet: 'GEMINI_CLI' } as const;

function addHooks(settings: Json, hookCommand: HookCommand): Json {
  const theirs = asObject(settings['hooks']);
  const all = hookEvents.map((event) => {
    const command = hookCommand(event, unlessNested);
    const ours = { name: 'signalbox', type: 'command', command, timeout: hookTimeout };
    return [event, [...asArray(theirs[event]), { hooks: [ours] }]];
  });
  return { ...settings, hooks: { ...theirs, ...Object.fromEntries(all) } };
}

/**
 * When it starts, 0.61.0 deletes conversations of the folder that it takes for damaged: those in
 * which nothing was said yet, though their Gemini runs, and every one that was resumed, since a
 * resume leaves an empty file under the same id beside it. Our agents share folders and are
 * restarted, so theirs would go, and with them the records of what was read. A Gemini that a person
 * starts still cleans up, by the person's own settings.
 */
function keepRecords(settings: Json): Json {
  const general = asObject(settings['general']);
  const sessionRetention = { ...asObject(general['sessionRetention']), enabled: false };
  return { ...settings, general: { ...general, sessionRetention } };
}

/** Comments are allowed in it. */
function readSettings(path: string): Json | undefined {
  try {
    const text = readFileTextSync(path);
    return parseObject(
      text.replace(
        /("(?:\\.|[^"\\])*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g,
        (_, quoted?: string) => quoted ?? '',
      ),
    );
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? {} : undefined;
  }
}

function isSameFolder(one: string, other: string): boolean {
  try {
    return realpathSync(one) === realpathSync(other);
  } catch {
    // One of them is not there.
    return false;
  }
}
