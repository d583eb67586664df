import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Hands } from '../../../test/lab/life/hands.ts';
import type { Life } from '../../../test/lab/life/life.ts';
import { runTmux } from '../../../test/lab/run-tmux.ts';
import { waitUntil } from '../../../test/support/wait-until.ts';
import { modelRests, patienceMs } from '../model-rest.ts';
import type { Seat } from '../tool.ts';
import { type CaoPlace, caoProviders, profile } from './place.ts';

export interface CaoTerminal {
  readonly id: string;
  readonly name: string;
  readonly session_name: string;
  readonly status: string;
}

export interface CaoSeat extends Seat {
  readonly place: CaoPlace;
  readonly terminal: CaoTerminal;
}

/** An agent of CAO, launched through its server. It ends with its place. */
export async function openCao({ lab, mock }: Life, place: CaoPlace): Promise<CaoSeat> {
  const terminal = await launchCao(place, lab.name, 'lab').catch((error: unknown) => {
    throw new Error(`${error}\n${place.lastWords}`);
  });
  const { id, session_name: session } = terminal;
  return {
    tool: 'CAO',
    place,
    terminal,
    cwd: place.home.cwd,
    hands: await handsOf(place, terminal),
    prompt: async (text) => {
      const startedAt = Date.now();
      await runCao(place, ['session', 'send', session, text, '--async']);
      return startedAt;
    },
    notice: async (text) => {
      const startedAt = Date.now();
      const parameters = { sender_id: id, message: text };
      await place.server.ask('POST', `/terminals/${id}/inbox/messages`, parameters);
      return startedAt;
    },
    rests: async () => {
      await modelRests(mock);
      await isReady(place, id);
    },
  };
}

export async function launchCao(
  place: CaoPlace,
  cli: Life['lab']['name'],
  session: string,
): Promise<CaoTerminal> {
  const provider = caoProviders[cli];
  if (provider === undefined) throw new Error(`CAO's ${cli} is not compared here`);
  const { id } = await place.server.ask<CaoTerminal>('POST', '/sessions', {
    agent_profile: profile,
    provider,
    session_name: session,
    working_directory: place.home.cwd,
  });
  await isReady(place, id);
  return await place.server.ask<CaoTerminal>('GET', `/terminals/${id}`);
}

async function handsOf(place: CaoPlace, terminal: CaoTerminal): Promise<Hands> {
  const target = `${terminal.session_name}:${terminal.name}`;
  const find = ['display-message', '-p', '-t', target, '#{pane_id}'];
  const pane = (await runTmux(place.socket, find, {})).trim();
  return new Hands(['tmux', '-S', place.socket, 'attach', '-t', pane]);
}

/** Only then does CAO send anything to it. */
async function isReady(place: CaoPlace, id: string): Promise<void> {
  const look = async (): Promise<boolean> => {
    const { status } = await place.server.ask<CaoTerminal>('GET', `/terminals/${id}`);
    return status === 'idle' || status === 'completed';
  };
  await waitUntil('an idle agent of CAO', look, patienceMs);
}

async function runCao({ bin, env, home }: CaoPlace, args: readonly string[]): Promise<void> {
  const child = spawn(join(bin, 'cao'), args, {
    env,
    cwd: home.cwd,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const said: Buffer[] = [];
  child.stderr.on('data', (part: Buffer) => said.push(part));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`cao ${args[0]} ${args[1]}: ${Buffer.concat(said)}`);
}
