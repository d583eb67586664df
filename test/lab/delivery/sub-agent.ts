import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { AttachView } from '../../../src/protocol/terminals.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { CannotBe, must } from '../life/check.ts';
import { isAtRest, type Life, patienceMs } from '../life/life.ts';
import type { Step } from '../mock-llm/directives.ts';
import { runTmux } from '../run-tmux.ts';
import { createWord, type Post } from './post.ts';

/** Of the cases in which a sub-agent asks a person. */
export const rounds = Number(process.env['SIGNALBOX_LAB_ROUNDS'] ?? 10);

/** Another daemon, and no state file of the CLI's, which says busy while a sub-agent works. */
export async function forget(life: Life): Promise<void> {
  await life.box.killDaemon();
  const folder = join(life.home.home, '.claude', 'sessions');
  for (const file of readdirSync(folder)) {
    if (/^\d+\.json$/.test(file)) rmSync(join(folder, file));
  }
  await life.box.up();
  await life.shows('rest', isAtRest);
}

export const dialog = /Do you want to proceed/;

export async function isOpen(life: Life, shown = dialog): Promise<boolean> {
  return shown.test((await life.hands.look()).text);
}

/**
 * Pressed again as long as nothing comes of it: a dialog takes no key in its first moments. Not
 * soon: twice Esc at rest opens a panel, and a loaded machine draws late.
 */
export async function deny(life: Life, shown = dialog): Promise<void> {
  const isGone = async (): Promise<boolean> => !(await isOpen(life, shown));
  for (let tries = 0; tries < 6 && (await isOpen(life, shown)); tries++) {
    await life.hands.press(life.lab.denyKeys);
    await waitUntil('the end of the dialog', isGone, 5000).catch(() => undefined);
  }
  must(await isGone(), 'the dialog stays');
}

/**
 * Somebody at a terminal of their own, attached as `signalbox attach` does it, who presses nothing:
 * only for them a sub-agent of Claude Code draws its dialog. Returns their end.
 */
export async function comes(life: Life): Promise<() => Promise<unknown>> {
  const { argv } = await life.box.ask<AttachView>(['attach', 'lab']);
  const socket = join(life.home.home, 'person.sock');
  const words = ['env', '-u', 'TMUX', ...argv];
  await runTmux(socket, ['new-session', '-d', '-x', '120', '-y', '40', '--', ...words], {});
  return () => runTmux(socket, ['kill-server'], {});
}

/** The agent rests, and a sub-agent of it has asked its model, which does this when it may. */
export async function begin(
  life: Life,
  then: readonly Step[],
): Promise<{ readonly goOn: () => void }> {
  let goOn = (): void => undefined;
  const isTime = new Promise<void>((done) => {
    goOn = done;
  });
  const [main, sub] = [createWord(), createWord()];
  life.mock.teach(sub, [{ do: 'until', isTime }, ...then]);
  const agent = {
    description: 'Look around',
    prompt: `@@play ${sub}`,
    subagent_type: 'general-purpose',
  };
  life.mock.teach(main, [
    { do: 'mcp', server: 'claude', tool: 'Agent', json: JSON.stringify(agent) },
    { do: 'say', text: 'It works on.' },
  ]);
  await life.ask(`@@play ${main}`);
  await life.mock.waitFor(({ lastUserText }) => lastUserText.trim() === `@@play ${sub}`);
  const rests = new RegExp(`@@play ${main}[^]*Waiting for 1 background agent`);
  await life.hands.shows(rests, patienceMs);
  return { goOn };
}

export async function isPrompt(post: Post, letter: Parameters<Post['isSeen']>[0]): Promise<void> {
  const { message } = await post.isSeen(letter, 'paste');
  must(message.standing === 'prompt', `it was a ${message.standing}`);
}

/** Where sub-agents work on beside a conversation that rests. */
export function onlyHere({ lab, box }: Life): void {
  if (lab.name !== 'claude-code')
    throw new CannotBe('nothing of it is known to work on while its conversation rests');
  if (box.terminal === 'herdr') throw new CannotBe('nothing is pasted in herdr');
}
