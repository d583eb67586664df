import { waitUntil } from '../../support/wait-until.ts';
import { CannotBe, type Check, must } from '../life/check.ts';
import { type Life, patienceMs } from '../life/life.ts';
import type { LoggedRequest } from '../mock-llm/request-log.ts';
import { holdsAccount } from './account.ts';
import { tellsPutBack } from './cases-standing.ts';
import { pause, settles } from './cases-usual.ts';
import { Person } from './person.ts';
import { createWord, Post } from './post.ts';
import { SeatedPerson } from './seated-person.ts';
import { traits } from './traits.ts';

/** So long a prompt of the user waits for a composer while the agent rests (rule 51b). */
const promptMs = 60_000;

/** With the real spans: the minute of rest is what it is about. */
export const userDraft: Check = {
  name: 'user-draft',
  promise:
    'rules 24, 51b: a person’s draft stands for more than a minute while the user sends a message: it arrives, as a prompt or as a notice that names the user, and the draft stays',
  run: async (life) => {
    const post = new Post(life);
    await new Person(life).opens();
    const draft = createWord().replace('letter', 'draft');
    await life.hands.write(draft);
    await life.hears('a draft', ({ composer }) => composer === 'draft', life.events.length - 1);
    const sentAt = Date.now();
    const letter = await post.sendAsUser('WORD @@say ok');
    const isPasteAlone = traits[life.lab.name].idle === 'paste';
    if (isPasteAlone) {
      // It has no other way in: the draft decides how long it waits.
      await pause(promptMs + 5000);
      must((await post.state(letter.id)) === 'queued', 'it did not wait for the draft');
      must(await stands(life, draft), 'the draft is gone');
      await new Person(life).empties();
    }
    const { message } = await post.isSeen(letter, undefined, 2 * promptMs);
    if (!isPasteAlone) must(await stands(life, draft), 'the draft is gone');
    const [request] = post.requestsWith(letter);
    const isClaude = life.lab.name === 'claude-code';
    const wanted = isClaude ? 'notice' : 'prompt';
    must(message.standing === wanted, `it was a ${message.standing}`);
    if (isClaude) must(/from the user/.test(request?.body ?? ''), 'it does not name the user');
    await holdsAccount(post, [letter]);
    const isSent = life.mock.requests.some(({ body }) => body.includes(draft));
    must(!isSent, 'the draft was sent');
    await settles(life);
    return { waited: (request?.at ?? Number.NaN) - sentAt };
  },
};

/** The same for a prompt of the user's that Esc has put back into the composer, as their draft. */
export const userPutBack: Check = {
  name: 'user-put-back',
  promise:
    'rules 12, 51d: a person breaks off a prompt of the user before any word and leaves it in the composer, while the next one goes in: it is never said for them again, and is withdrawn when they delete it',
  run: async (life) => {
    const isClaude = life.lab.name === 'claude-code';
    if (!isClaude && life.lab.name !== 'qwen') throw new CannotBe('it puts no prompt back');
    if (isClaude && life.box.terminal === 'herdr') throw new CannotBe('nothing is pasted in herdr');
    const post = new Post(life);
    const letter = await post.sendAsUser('WORD @@sleep 60 @@say never read');
    const isAsked = (): LoggedRequest | undefined => post.requestsWith(letter)[0];
    const request = await waitUntil('its request', isAsked, patienceMs);
    const person = await SeatedPerson.sit(life);
    try {
      const from = life.events.length - 1;
      await person.presses(...life.lab.interruptKeys);
      await waitUntil('the end of its turn', () => request?.outcome, patienceMs);
      await life.hears('a draft', ({ composer }) => composer === 'draft', from);
      if (isClaude) await tellsPutBack(post, letter);
      // In Claude Code it waits for the draft for a minute, which counts for the first one, too.
      const next = await post.sendAsUser('WORD @@say read');
      await post.isSeen(next, undefined, 2 * promptMs);
      await settles(life);
      must((await post.state(letter.id)) === 'injected', 'it was given up in the composer');
      must(await stands(life, letter.word), 'the draft is gone');
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

async function stands(life: Life, draft: string): Promise<boolean> {
  return (await life.hands.look()).text.includes(draft);
}
