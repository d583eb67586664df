import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { asText, type Json, parseObject } from '../../shared/json.ts';
import { readFileTextSync } from '../../shared/open-file.ts';
import { reportBug } from '../../shared/report-bug.ts';
import type { LaunchPlan } from '../launch-plan.ts';
import { isMissing } from '../record-files.ts';

/**
 * What OpenCode's terminal shows. Its server does not know: after /new, or in a fresh one, a prompt
 * to the last conversation runs where nobody sees it (1.18.33). An extension of the terminal knows,
 * and writes it into the run folder.
 */
export type Shown =
  | { readonly view: 'session'; readonly session: string; readonly isAwaited?: true }
  | { readonly view: 'home' }
  /** A list of changes, or something that another extension shows. */
  | { readonly view: 'other' };

const shownFile = 'shown.json';
const begunFile = 'begun.json';
const pluginFile = 'shown-plugin.mjs';
const configFile = 'tui.json';
const variable = 'OPENCODE_TUI_CONFIG';

/**
 * Undefined when the extension has not begun yet, or is not there; `unreadable` when nobody knows
 * what it has written (rule 41).
 */
export function readShown(runFolder: string): Shown | 'unreadable' | undefined {
  const said = readNote(runFolder, shownFile);
  if (said === 'unreadable' || said === undefined) return said;
  const { view, session, changes } = said;
  const id = asText(session);
  if (view === 'session') return id === undefined ? undefined : { view, session: id };
  if (view !== 'home') return view === 'other' ? { view } : undefined;
  const begun = readNote(runFolder, begunFile);
  if (begun === 'unreadable') return 'unreadable';
  const awaited = asText(begun?.['session']);
  const isAwaited =
    awaited !== undefined && changes !== undefined && isSince(begun?.['changes'], changes);
  return isAwaited ? { view: 'session', session: awaited, isAwaited } : { view };
}

/**
 * To be called before a conversation is begun for a terminal that shows none; the answer notes
 * which one it was. The terminal takes a moment to show it, on a busy machine seconds: whoever
 * looks meanwhile, in a next life of the daemon too, must not begin another. From the terminal's
 * first change on, its own word counts again: a person may leave with /new.
 */
export function expectShown(runFolder: string): (session: string) => void {
  const said = readNote(runFolder, shownFile);
  const changes = said === undefined ? 0 : said === 'unreadable' ? undefined : said['changes'];
  return (session) => {
    if (changes === undefined) return;
    const file = join(runFolder, begunFile);
    try {
      writeFileSync(`${file}.new`, JSON.stringify({ session, changes }), { mode: 0o600 });
      renameSync(`${file}.new`, file);
    } catch (error) {
      // It costs at most a conversation that stays empty or holds one message, and the message is
      // found there.
      reportBug('noting which conversation of OpenCode was begun', error);
    }
  };
}

/** Nothing has changed since, or the extension has said its first word. */
function isSince(before: unknown, changes: unknown): boolean {
  return before === changes || (before === 0 && changes === 1);
}

function readNote(runFolder: string, name: string): Json | 'unreadable' | undefined {
  try {
    return parseObject(readFileTextSync(join(runFolder, name)));
  } catch (error) {
    return isMissing(error) ? undefined : 'unreadable';
  }
}

/**
 * Files and variable that bring the extension in, beside the user's own `tui.json`, which is merged
 * (1.18.33). There is one such variable: a user's own stays in force, and ours is left out.
 */
export function planShown(
  runFolder: string,
  env: Readonly<Record<string, string>>,
): Pick<LaunchPlan, 'files' | 'env'> {
  if (env[variable]) return { files: [], env: {} };
  const plugin = pathToFileURL(join(runFolder, pluginFile)).href;
  const config = { plugin: [[plugin, { file: join(runFolder, shownFile) }]] };
  return {
    files: [
      { path: configFile, text: `${JSON.stringify(config, undefined, 2)}\n` },
      { path: pluginFile, text: pluginText },
    ],
    env: { [variable]: join(runFolder, configFile) },
  };
}

/**
 * There is no event for it, so it looks. The variable also reaches the shell tool: an OpenCode that
 * the model starts there finds the file taken by a process that lives, and keeps out of it
 * (rule 38). One fixed id: OpenCode keeps a line per extension in its own state folder.
 */
const pluginText = `import { readFileSync, renameSync, writeFileSync } from 'node:fs';

const everyMs = 100;

export default {
  id: 'signalbox.shown',
  tui: async (api, options) => {
    const { file } = options ?? {};
    if (typeof file !== 'string' || isTaken(file)) return;
    let last;
    let changes = 0;
    const look = () => {
      try {
        const { name, params } = api.route.current;
        const view = name === 'session' || name === 'home' ? name : 'other';
        const said = { pid: process.pid, view, session: params?.sessionID };
        if (JSON.stringify(said) === last) return;
        writeFileSync(file + '.new', JSON.stringify({ ...said, changes: changes + 1 }), { mode: 0o600 });
        renameSync(file + '.new', file);
        last = JSON.stringify(said);
        changes++;
      } catch {
        // The folder is gone, or full: the next look tries again. Nothing of it is OpenCode's trouble.
      }
    };
    const timer = setInterval(look, everyMs);
    api.lifecycle.onDispose(() => clearInterval(timer));
    look();
  },
};

function isTaken(file) {
  try {
    const { pid } = JSON.parse(readFileSync(file, 'utf8'));
    if (pid === process.pid) return false;
    process.kill(pid, 0);
    return true;
  } catch {
    // Nobody has written it, or whoever did is gone.
    return false;
  }
}
`;
