import { readdirSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { waitUntil } from '../../support/wait-until.ts';
import { CannotBe } from '../life/check.ts';
import type { Life } from '../life/life.ts';
import { type FoundProcess, isAlive, signalProcess } from '../processes.ts';
import type { CliName } from '../versions.ts';

type Cut = (life: Life) => Promise<void>;

const noChannel = async (): Promise<void> => {
  throw new CannotBe(
    'nothing of it stands beside the agent: it is reached by its hooks and by paste',
  );
};

/** How the channel by which a CLI is woken goes while the CLI itself lives on. */
const cuts: Readonly<Record<CliName, Cut>> = {
  'claude-code': (life) => kill(life, / wait \w+ \d+ \d+$/),
  codex: (life) => kill(life, /app-server --listen/),
  copilot: (life) => kill(life, /extension/),
  qwen: async (life) => {
    for (const folder of runFolders(life)) rmSync(join(folder, 'input.jsonl'));
  },
  opencode: async () => {
    throw new CannotBe('its server is a part of the agent itself, and ends with it');
  },
  gemini: noChannel,
  kimi: noChannel,
};

export function cutChannel(life: Life): Promise<void> {
  return cuts[life.lab.name](life);
}

/** Only Qwen Code has a file that can be emptied under it. */
export function emptyChannel(life: Life): void {
  if (life.lab.name !== 'qwen') throw new CannotBe('its way in is no file');
  for (const folder of runFolders(life)) truncateSync(join(folder, 'input.jsonl'));
}

/** With the children of what is found, as the kernel ends whatever is out of memory. */
async function kill(life: Life, pattern: RegExp): Promise<void> {
  const family = life.family(await life.rootProcess());
  const found = family.filter(({ pid }) => pattern.test(readCommandLine(pid)));
  if (found.length === 0) throw new Error(`nothing of the agent runs as ${pattern}`);
  const pids = new Set(found.map(({ pid }) => pid));
  const all: readonly FoundProcess[] = family.filter(
    ({ pid, parent }) => pids.has(pid) || pids.has(parent),
  );
  for (const one of all) signalProcess(one, 'SIGKILL');
  await waitUntil('the end of its channel', () => all.every((one) => !isAlive(one)));
}

function runFolders({ box, agent }: Life): readonly string[] {
  const parent = join(box.state, 'run', 'agents');
  const found = readdirSync(parent)
    .filter((name) => name.startsWith(`${agent.id}-`))
    .map((name) => join(parent, name));
  if (found.length === 0) throw new Error(`there is no run folder in ${parent}`);
  return found;
}

function readCommandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').join(' ').trim();
  } catch {
    return '';
  }
}
