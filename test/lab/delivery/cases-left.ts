import { waitUntil } from '../../support/wait-until.ts';
import type { Check } from '../life/check.ts';
import { must } from '../life/check.ts';
import { isProcessing, type Life, patienceMs } from '../life/life.ts';
import { holdsAccount } from './account.ts';
import { holds } from './cases-interrupted.ts';
import { settles } from './cases-usual.ts';
import { longAnswer, Person } from './person.ts';
import { createWord, type Letter, Post } from './post.ts';
import { traits } from './traits.ts';

/**
 * So long a CLI's own tries are waited for; Gemini CLI 0.61.0 goes on for minutes, and its person
 * breaks it off.
 */
const triesMs = 60_000;

/** A person leaves the conversation that a message is in, or waits in. */
export const leftCases: readonly Check[] = [
  {
    name: 'queued-esc-new',
    promise:
      'rule 42b: sent to a busy agent, whose turn is broken off and whose conversation is left: it is read, and so is what comes behind it',
    run: async (life) => {
      const { post, letter } = await leavesBehind(life);
      const next = await post.send('@@say the next one');
      await post.isSeen(next);
      await holdsAccount(post, [letter, next]);
      await settles(life);
      return undefined;
    },
  },
  {
    name: 'queued-esc-new-resume',
    promise:
      'rule 42b: the same, and the person goes back to the old conversation: no second copy without a mark is read there',
    run: async (life) => {
      const { post, person, letter, opener, busy } = await leavesBehind(life);
      await post.becomes(letter, ['seen', 'acked']);
      await settles(life);
      await person.resumes(opener, busy);
      const turn = await life.ask('@@say back again');
      must(turn.request.body.includes(opener), 'the old conversation was not resumed');
      await life.rests(turn);
      const next = await post.send('@@say the next one');
      await post.isSeen(next);
      must(holds(post, next, opener), 'it did not go where the terminal shows');
      await holdsAccount(post, [letter, next]);
      await settles(life);
      return undefined;
    },
  },
  {
    name: 'fail-then-new',
    promise:
      "rule 42b: the model's API fails, and the person begins a new conversation: the message is read, and so is the next",
    run: async (life) => {
      const post = new Post(life);
      const person = new Person(life);
      const opener = await person.opens();
      const word = createWord();
      life.gate.refuse(word, 500);
      const from = life.events.length;
      const letter = await post.send('@@say at last', [], word);
      await life.gate.arrived(word, patienceMs);
      const isError = ({ status }: { readonly status: string }): boolean => status === 'error';
      await life
        .hears('error', isError, from, triesMs)
        .catch(() => life.hands.press(life.lab.interruptKeys));
      must(!['seen', 'acked'].includes(await post.state(letter.id)), 'seen without an answer');
      await person.beginsAnew();
      life.gate.refuse(undefined);
      const next = await post.send('@@say the next one');
      await post.isSeen(next);
      must(!holds(post, next, opener), 'it went into the conversation that was left');
      await holdsAccount(post, [letter, next]);
      await settles(life);
      return undefined;
    },
  },
  {
    name: 'clear-busy',
    promise:
      'a message on its way in while a turn ends and the person enters `/clear` in the same moment: read once, and the next goes where the terminal shows',
    run: async (life) => {
      const post = new Post(life);
      const person = new Person(life);
      const opener = await person.opens();
      const turn = await life.ask('@@sleep 5 @@say a slow answer');
      await life.hears('processing', isProcessing, turn.from);
      const letter = await post.send();
      await life.hands.write(traits[life.lab.name].clear);
      await waitUntil('the end of the turn', () => turn.request.outcome, patienceMs);
      await life.hands.press(['Enter']);
      await settles(life);
      if (await person.hasDraft()) await person.empties();
      const asked = await life.ask('@@say where am I');
      await life.rests(asked);
      const next = await post.send('@@say the next one');
      await post.isSeen(next);
      const isOld = asked.request.body.includes(opener);
      must(holds(post, next, opener) === isOld, 'it did not go where the terminal shows');
      await holdsAccount(post, [letter, next]);
      await settles(life);
      return undefined;
    },
  },
  {
    name: 'resume-back',
    promise: 'the person goes back to an older conversation: the next message goes there',
    run: async (life) => {
      const post = new Post(life);
      const person = new Person(life);
      const older = await person.opens();
      const before = await post.send();
      await post.isSeen(before);
      await settles(life);
      await person.beginsAnew();
      // Qwen Code 0.24.4 throws away what is typed before it has begun: 1.5 s on a busy machine.
      await settles(life);
      const newer = await person.opens();
      const between = await post.send();
      await post.isSeen(between);
      must(holds(post, between, newer), 'it did not go into the new conversation');
      await settles(life);
      await person.resumes(older);
      const after = await post.send();
      await post.isSeen(after);
      must(holds(post, after, older), 'it did not go into the resumed conversation');
      must(!holds(post, after, newer), 'it went into the conversation that was left');
      await holdsAccount(post, [before, between, after]);
      await settles(life);
      return undefined;
    },
  },
];

interface LeftBehind {
  readonly post: Post;
  readonly person: Person;
  readonly letter: Letter;
  readonly opener: string;
  /** What the person asked for last. */
  readonly busy: string;
}

/**
 * A message for a busy agent, in the CLI's own queue where it has one; then Esc, then a new
 * conversation.
 */
async function leavesBehind(life: Life): Promise<LeftBehind> {
  const post = new Post(life);
  const person = new Person(life);
  const opener = await person.opens();
  const busy = createWord();
  life.mock.teach(busy, [longAnswer]);
  const turn = await life.ask(`@@play ${busy}`);
  await life.hears('processing', isProcessing, turn.from);
  const letter = await post.send();
  if (traits[life.lab.name].busy === 'native') await post.becomes(letter, ['injected', 'seen']);
  life.mock.teach(busy, [{ do: 'say', text: 'not again' }]);
  await person.interrupts(turn.request);
  await person.beginsAnew();
  return { post, person, letter, opener, busy };
}
