import { waitUntil } from '../../support/wait-until.ts';
import { CannotBe, type Check, must } from '../life/check.ts';
import { keyPauseMs } from '../life/hands.ts';
import { patienceMs } from '../life/life.ts';
import type { LoggedRequest } from '../mock-llm/request-log.ts';
import { tellsPutBack } from './cases-standing.ts';
import { pause, settles } from './cases-usual.ts';
import { type Letter, Post } from './post.ts';
import { SeatedPerson } from './seated-person.ts';
import { traits } from './traits.ts';

/** For so long a prompt waits for a composer, and proof of one is awaited. */
const promptMs = 60_000;
/** Longer than anything of ours waits before it begins a turn or offers a message again. */
const leftMs = 80_000;

/** Esc puts it back into the composer, as a draft of the person's. */
const putBack: Check = {
  name: 'user-put-back',
  promise:
    'rules 12, 51d: a person breaks off a prompt of the user before any word and leaves it in the composer, while the next one goes in: it is never said for them again, and is withdrawn when they delete it',
  run: async (life) => {
    const isClaude = life.lab.name === 'claude-code';
    if (!isClaude && life.lab.name !== 'qwen') throw new CannotBe('it puts no prompt back');
    if (isClaude && life.box.terminal === 'herdr') throw new CannotBe('nothing is pasted in herdr');
    const post = new Post(life);
    const letter = await post.sendAsUser('WORD @@sleep 60 @@say never read');
    const request = await isAsked(post, letter);
    const person = await SeatedPerson.sit(life);
    try {
      const from = life.events.length - 1;
      await person.presses(...life.lab.interruptKeys);
      await waitUntil('the end of its turn', () => request.outcome, patienceMs);
      await life.hears('a draft', ({ composer }) => composer === 'draft', from);
      if (isClaude) await tellsPutBack(post, letter);
      // In Claude Code it waits for the draft for a minute, which counts for the first one, too.
      const next = await post.sendAsUser('WORD @@say read');
      await post.isSeen(next, undefined, 2 * promptMs);
      await settles(life);
      must((await post.state(letter.id)) === 'injected', 'it was given up in the composer');
      const { text } = await life.hands.look();
      must(text.includes(letter.word), 'the draft is gone');
      await person.presses(...traits[life.lab.name].emptyAllKeys);
      const { message } = await post.becomes(letter, ['dead', 'seen', 'queued']);
      must(message.reason === 'withdrawn', `it is ${message.state}: ${message.reason}`);
      must(post.requestsWith(letter).length === 1, 'it was said for them again');
    } finally {
      await person.leaves();
    }
    return undefined;
  },
};

/** And the person goes away. */
const left: Check = {
  name: 'user-esc-left',
  promise:
    'rules 42c, 51d: a person breaks off a prompt of the user before any word, deletes what is put back and goes away: nothing of it is asked for again, and the next one is read',
  isLong: true,
  run: async (life) => {
    const post = new Post(life);
    const letter = await post.sendAsUser('WORD @@sleep 300 @@say never read');
    const request = await isAsked(post, letter);
    const person = await SeatedPerson.sit(life);
    try {
      for (let tries = 0; tries < 5 && request.outcome === undefined; tries++) {
        for (const key of life.lab.interruptKeys) {
          await person.presses(key);
          await pause(keyPauseMs * (tries + 1));
        }
        await pause(2000);
      }
      must(request.outcome === 'client-closed', 'the keys did not break it off');
      await settles(life);
      if (life.current?.composer === 'draft')
        await person.presses(...traits[life.lab.name].emptyAllKeys);
    } finally {
      await person.leaves();
    }
    await pause(leftMs);
    const again = post.requestsWith(letter).length - 1;
    must(again === 0, `it was asked for ${again} times more: ${await tellState(post, letter)}`);
    await post.isSeen(await post.sendAsUser('WORD @@say read'), undefined, patienceMs);
    await settles(life);
    return undefined;
  },
};

async function tellState(post: Post, { id }: Letter): Promise<string> {
  const { message, history } = await post.explain(id);
  return `${message.state}: ${history.map(({ cause }) => cause).join(' → ')}`;
}

function isAsked(post: Post, letter: Letter): Promise<LoggedRequest> {
  return waitUntil('its request', () => post.requestsWith(letter)[0], patienceMs);
}

/** With the real spans: what a person takes back is not said for them, however long it takes. */
export const takenBackCases: readonly Check[] = [putBack, left];
