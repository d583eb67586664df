import { setTimeout as delay } from 'node:timers/promises';
import type { Profile } from '../profile.ts';
import type { SessionPlace } from '../socket-paths.ts';
import { type Json, sorted } from '../wire/json.ts';
import { ask } from './client.ts';
import { type Command, commands } from './commands.ts';
import { runSessionCommand } from './sessions.ts';
import { runTerminalCommand } from './terminal.ts';
import { Usage } from './words.ts';

/**
 * herdr's command line: an answer is one JSON line on stdout and exit 0, a refusal one on stderr
 * and exit 1, a wrong command plain text and exit 2. Every command is two connections, since it
 * first asks which protocol the server speaks.
 */
export async function runCommand(
  words: readonly string[],
  place: SessionPlace,
  profile: Profile,
): Promise<number> {
  try {
    const special =
      (await runSessionCommand(words, place, profile)) ??
      (profile.isOld ? undefined : await runTerminalCommand(words, place));
    if (special !== undefined) return special;
    const [group = '', verb = '', ...rest] = words;
    const build = commands[`${group} ${verb}`];
    if (!build) throw new Usage(`unknown command: herdr ${words.join(' ')}`);
    return await run(`cli:${group}:${verb}`, build(rest), place, profile);
  } catch (error) {
    if (!(error instanceof Usage)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 2;
  }
}

async function run(
  id: string,
  { method, params, prints, untilReady }: Command,
  place: SessionPlace,
  profile: Profile,
): Promise<number> {
  const pong = await ask(place.socket, { id, method: 'ping', params: {} });
  if (!pong) {
    const message = `no herdr server is running at ${place.socket}`;
    return refuse({ id, error: { code: 'server_not_running', message } });
  }
  const { protocol } = pong['result'] as { protocol?: number };
  if (protocol !== profile.protocol) {
    const message = `the server speaks protocol ${protocol}, this herdr ${profile.protocol}`;
    return refuse({ id, error: { code: 'protocol_mismatch', message } });
  }
  const answer = await ask(place.socket, { id, method, params });
  if (!answer) {
    const message = 'the server closed the connection';
    return refuse({ id, error: { code: 'server_unavailable', message } });
  }
  if (answer['error']) return refuse(answer);
  if (untilReady !== undefined) await waitUntilReady(place, untilReady);
  if (prints === 'text') {
    const { read } = answer['result'] as { read: Json };
    process.stdout.write(String(read['text']));
  } else if (prints === 'answer') {
    process.stdout.write(`${JSON.stringify(sorted(answer))}\n`);
  }
  return 0;
}

/** Only the command line waits for it; the method answers at once. */
async function waitUntilReady(place: SessionPlace, target: string): Promise<void> {
  for (let i = 0; i < 300; i++) {
    const request = { id: 'cli:agent:start', method: 'agent.get', params: { target } };
    const { agent } = ((await ask(place.socket, request))?.['result'] ?? {}) as { agent?: Json };
    if (agent?.['interactive_ready']) return;
    await delay(100);
  }
}

function refuse(answer: Json): number {
  process.stderr.write(`${JSON.stringify(answer)}\n`);
  return 1;
}
