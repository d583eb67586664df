import type { ByHand } from '../../../bench/delivery/cli/route.ts';
import type { QueueOnEsc } from '../../../src/providers/capabilities.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { pause, settles } from '../delivery/cases-usual.ts';
import { answersAtLength, asksLater, breaksOffTool, runsTool } from '../delivery/long-turns.ts';
import { Person } from '../delivery/person.ts';
import { createWord } from '../delivery/post.ts';
import { must } from '../life/check.ts';
import type { Life } from '../life/life.ts';
import type { LoggedRequest } from '../mock-llm/request-log.ts';

/** What the CLI does when the person presses Esc. */
export const situations = ['answer', 'tool', 'dialog', 'twice'] as const;
export type Situation = (typeof situations)[number];

export interface Found {
  readonly what: QueueOnEsc;
  /** In words: when it was read, or where it stood. */
  readonly how: string;
}

/** A queue that goes on by itself does so within this time; ours would be released after 10 s. */
const byItselfMs = 8000;

/**
 * One text goes into the CLI's own queue, by hand and without delivery; the person presses Esc;
 * then the mock and the screen tell what has become of the text.
 */
export async function probe(life: Life, byHand: ByHand, situation: Situation): Promise<Found> {
  const person = new Person(life);
  const word = createWord();
  const text = `${word} @@say read from the queue`;
  await breakOffWith(life, person, situation, () => byHand.wake(text, () => false));
  const restedAt = Date.now();
  const read = await waitUntil('it in a request', () => first(life, word), byItselfMs).catch(
    () => undefined,
  );
  if (read) {
    await settles(life);
    const seconds = ((read.at - restedAt) / 1000).toFixed(1);
    return { what: 'kept', how: `read by itself ${seconds} s after Esc` };
  }
  const { composer } = await life.show();
  const isShown = (await life.hands.look()).text.includes(word);
  if (composer !== 'empty' && isShown) {
    await person.empties();
    return { what: 'returned', how: `the composer is ${composer}, and the screen shows it` };
  }
  const next = createWord();
  await life.ask(`@@say the person goes on ${next}`);
  await settles(life);
  const later = first(life, word);
  if (!later) return { what: 'dropped', how: 'in no request, nor on the next prompt' };
  const isWith = later.body.includes(next) ? 'in the request of the next prompt' : 'behind it';
  return { what: 'kept', how: `not by itself; ${isWith}` };
}

async function breakOffWith(
  life: Life,
  person: Person,
  situation: Situation,
  join: () => Promise<void>,
): Promise<void> {
  switch (situation) {
    case 'answer':
    case 'twice': {
      const turn = await answersAtLength(life);
      await join();
      await pause(joinedMs);
      must(turn.request.outcome === undefined, 'the answer was over before Esc');
      await person.interrupts(turn.request);
      if (situation === 'twice') await life.hands.press(['Escape']);
      return;
    }
    case 'tool': {
      await runsTool(life);
      await pause(joinedMs);
      await join();
      await pause(joinedMs);
      return breaksOffTool(life);
    }
    case 'dialog': {
      // It is put in while the model answers, and stands in the queue when the dialog opens.
      const turn = await asksLater(life, 4000);
      await pause(1000);
      await join();
      await life.hears('waiting', ({ status }) => status === 'waiting', turn.from);
      await pause(joinedMs);
      return breaksOffTool(life);
    }
  }
}

/** Qwen Code reads its input twice a second. */
const joinedMs = 1500;

function first(life: Life, word: string): LoggedRequest | undefined {
  return life.mock.requests.find(({ isSide, body }) => !isSide && body.includes(word));
}
