import { basename } from 'node:path';
import { Hands } from '../../../test/lab/life/hands.ts';
import type { Life } from '../../../test/lab/life/life.ts';
import { runTmux } from '../../../test/lab/run-tmux.ts';
import type { CliName } from '../../../test/lab/versions.ts';
import { waitUntil } from '../../../test/support/wait-until.ts';
import { modelRests, patienceMs } from '../model-rest.ts';
import type { Seat } from '../tool.ts';
import { launchCommand, sendCommand, showCommand } from './commands.ts';
import type { DeckPlace } from './place.ts';

const title = 'lab';

/**
 * An agent of agent-deck. It has no messages between agents: whoever writes to one, a person or an
 * agent, runs the same command.
 */
export async function openDeck({ lab, mock }: DeckLife, place: DeckPlace): Promise<Seat> {
  const { home } = place;
  const cli = [programs[lab.name] ?? basename(home.cli.argv[0] ?? ''), ...home.args];
  const launched = await place.run(launchCommand(home.cwd, title, cli));
  if (launched.code !== 0) throw new Error(`agent-deck launch: ${launched.out.trim()}`);
  await isReady(place);
  return {
    tool: 'agent-deck',
    cwd: home.cwd,
    hands: await handsOf(place),
    prompt: async (text) => {
      const startedAt = Date.now();
      await sendTo(place, text);
      return startedAt;
    },
    rests: async () => {
      await modelRests(mock);
      await isReady(place);
    },
  };
}

export interface DeckLife {
  readonly lab: Pick<Life['lab'], 'name'>;
  readonly mock: Pick<Life['mock'], 'requests'>;
}

/** By which it knows them. */
const programs: Readonly<Partial<Record<CliName, string>>> = {
  'claude-code': 'claude',
  codex: 'codex',
};

/** What it says of itself counts for nothing: 1.14.0 said "NOT delivered" (1) of what arrived. */
async function sendTo(place: Pick<DeckPlace, 'run'>, text: string): Promise<void> {
  const { code, out } = await place.run(sendCommand(title, text));
  if (code !== 0 && code !== 1) throw new Error(`agent-deck session send (${code}): ${out.trim()}`);
}

interface Shown {
  readonly status?: string;
  readonly tmux_session?: string;
}

async function show(place: Pick<DeckPlace, 'run'>): Promise<Shown> {
  const { code, out } = await place.run(showCommand(title));
  if (code !== 0) throw new Error(`agent-deck session show (${code}): ${out.trim()}`);
  return JSON.parse(out) as Shown;
}

/** To agent-deck 1.14.0 `waiting` is done, a question and a permission alike. */
async function isReady(place: Pick<DeckPlace, 'run'>): Promise<void> {
  const look = async (): Promise<boolean> => {
    const { status = '' } = await show(place);
    return ['idle', 'waiting'].includes(status);
  };
  await waitUntil('an idle agent of agent-deck', look, patienceMs);
}

async function handsOf(place: DeckPlace): Promise<Hands> {
  const { tmux_session: session } = await show(place);
  if (session === undefined) throw new Error('agent-deck does not say where its agent is');
  const find = ['display-message', '-p', '-t', `=${session}:`, '#{pane_id}'];
  const pane = (await runTmux(place.socket, find, {})).trim();
  return new Hands(['tmux', '-S', place.socket, 'attach', '-t', pane]);
}
