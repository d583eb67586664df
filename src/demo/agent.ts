import { writeSync } from 'node:fs';
import { findFolders } from '../config/folders.ts';
import { systemClock } from '../shared/clock.ts';
import { asArray, asObject } from '../shared/json.ts';
import { readStartTime } from '../shared/processes.ts';
import { Journal } from './journal.ts';
import { readLetters } from './letters.ts';
import { Player } from './player.ts';
import { supervisor } from './plot.ts';
import { openTerminal, type ScriptedTerminal } from './scripted/open-terminal.ts';
import type { Work } from './scripted/turn.ts';
import { Supervisor } from './supervisor.ts';
import { Worker } from './worker.ts';

/**
 * The program that each agent of the demo runs in its terminal: an outsider that knows nothing of
 * signalbox but its tools and its hooks, as a CLI with a model does. Messages reach it as prompts,
 * at the end of a turn, or as a tool's result. `demo-agent.cjs <beat>`: all its waiting is counted
 * in beats of so many milliseconds.
 */
async function main(): Promise<void> {
  let player: Player | undefined;
  let act: ((...given: Parameters<Worker['act']>) => Promise<void>) | undefined;
  const interpret =
    (prompt: string): Work =>
    async (turn) => {
      const letters = readLetters(prompt);
      if (letters.length === 0) turn.say('I only read what signalbox brings.');
      else await act?.(turn, letters);
      return { outcome: 'done' };
    };
  const onStop = (): void => player?.stopped();
  const base = { program: 'demo-agent', isAlternateScreen: false };
  const terminal = openTerminal({ ...base, name: 'demo agent', interpret, onStop });
  const home = findFolders(process.env).state;
  // Its composer appears when it has its tools.
  await terminal.agent.start(async (turn) => {
    const name = await learnName(terminal, turn.signal);
    const journal = new Journal(home, name);
    journal.note({ fact: 'started', startedAt: readStartTime(process.pid) ?? '' });
    // A turn runs on its own: what it throws arrives here, and nowhere else.
    process.on('uncaughtException', (error) => fail(journal, error));
    const beatMs = Number(process.argv[2]);
    const { tools } = terminal.host;
    player = new Player({ name, home, journal, tools, beatMs });
    const part = name === supervisor ? new Supervisor(player) : new Worker(player);
    act = (turn, letters) => part.act(turn, letters);
    turn.setTitle(name);
    return { outcome: 'done' };
  });
}

/** Who it is, it asks like anything else. */
async function learnName(terminal: ScriptedTerminal, signal: AbortSignal): Promise<string> {
  for (;;) {
    const { document } = await terminal.host.tools.call('list_agents', {});
    const all = asArray(document['agents']).map(asObject);
    const name = all.find(({ isYou }) => isYou === true)?.['name'];
    if (typeof name === 'string') return name;
    await systemClock.sleep(200, signal);
  }
}

/** In the journal, and on the screen that it leaves behind. */
function fail(journal: Journal, error: Error): never {
  journal.note({ fact: 'failed', why: error.message });
  writeSync(2, `\r\n${error.stack ?? error.message}\r\n`);
  process.exit(1);
}

void main();
