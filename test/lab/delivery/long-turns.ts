import { waitUntil } from '../../support/wait-until.ts';
import { must } from '../life/check.ts';
import { isAtRest, type Life, patienceMs, type Turn } from '../life/life.ts';
import { allow } from './cases-usual.ts';
import { longAnswer } from './person.ts';
import { createWord } from './post.ts';

/** Turns that last until the person breaks them off. */

/** The model answers at length, and its first words are on the screen. */
export async function answersAtLength(life: Life): Promise<Turn> {
  const word = createWord();
  life.mock.teach(word, [longAnswer]);
  const turn = await life.ask(`@@play ${word}`);
  await life.hands.shows(/word20\b/, patienceMs);
  return turn;
}

/** A tool that the person has allowed runs for a minute. */
export async function runsTool(life: Life): Promise<Turn> {
  const command = `node -e "setTimeout(function(){},60000)"`;
  const turn = await life.ask(`@@tool ${command} @@say after the tool`);
  await showsQuestion(life, turn);
  await allow(life);
  return turn;
}

/** After `afterMs` the model asks for a tool, and with it the person for a permission. */
export async function asksLater(life: Life, afterMs: number): Promise<Turn> {
  const word = createWord();
  life.mock.teach(word, [
    { do: 'sleep', ms: afterMs },
    { do: 'tool', command: 'touch never.txt' },
  ]);
  return await life.ask(`@@play ${word}`);
}

export async function showsQuestion(life: Life, { from }: Turn): Promise<void> {
  await life.hears('waiting', ({ status }) => status === 'waiting', from);
  await waitUntil('the question', () => life.current?.composer === 'hidden', 20_000);
}

/** There is no request whose end would tell: the keys are pressed until the agent rests. */
export async function breaksOffTool(life: Life): Promise<void> {
  const from = life.events.length;
  const hasRested = (): boolean => life.events.slice(from).some(isAtRest);
  for (let tries = 0; tries < 5 && !hasRested(); tries++) {
    await life.hands.press(life.lab.interruptKeys);
    await waitUntil('rest', hasRested, 4000).catch(() => undefined);
  }
  must(hasRested(), 'the keys did not break it off');
}
