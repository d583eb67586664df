import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { Fault } from '../shared/fault.ts';
import { parseObject } from '../shared/json.ts';
import { type Folders, supervisorsPath } from './folders.ts';
import { listNames } from './setting-definitions.ts';
import { loadSettings } from './settings.ts';

/** Full names as config.yaml has them, each with the agent that the user meant by it. */
export type Supervisors = ReadonlyMap<string, string | undefined>;

/**
 * Who may answer for those below it. The name stands in config.yaml, and is not enough: which agent
 * has it changes, and which config.yaml is read depends on the environment of whoever starts the
 * daemon. So `config set`, which takes the user's consent at a terminal, notes beside the ledger
 * which agent was meant, and only where both agree somebody is named. The right ends with the name
 * in config.yaml, and with the agent.
 */
export async function readSupervisors(
  folders: Folders,
  env: NodeJS.ProcessEnv,
): Promise<Supervisors> {
  const names = listNames((await loadSettings(folders, env))['supervisors-answer'].value);
  // Nearly everybody names none, and needs no second file.
  if (names.length === 0) return new Map();
  const meant = readMeant(supervisorsPath(folders));
  return new Map(names.map((name) => [name, meant[name]]));
}

/** After the user has consented: from now on these names mean these agents. */
export function noteSupervisors(folders: Folders, meant: ReadonlyMap<string, string>): void {
  const path = supervisorsPath(folders);
  const draft = `${path}.new-${process.pid}`;
  try {
    if (meant.size === 0) {
      rmSync(path, { force: true });
      return;
    }
    const text = `${JSON.stringify(Object.fromEntries(meant))}\n`;
    writeFileSync(draft, text, { mode: 0o600, flush: true });
    renameSync(draft, path);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Fault(
      'config-invalid',
      `signalbox could not note in ${path} whom you mean: ${why}.`,
      'Make room for it, or make its folder writable, then run this again.',
      { cause: error },
    );
  }
}

/** A file that is missing, damaged or unreadable names nobody. */
function readMeant(path: string): Readonly<Record<string, string | undefined>> {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    // Any error is fine: nobody may answer then but the user.
    return {};
  }
  const noted = Object.entries(parseObject(text) ?? {});
  return Object.fromEntries(noted.filter((pair): pair is [string, string] => isText(pair[1])));
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
