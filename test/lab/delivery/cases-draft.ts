import { type Check, must } from '../life/check.ts';
import type { Life } from '../life/life.ts';
import { holdsAccount } from './account.ts';
import { pause, settles } from './cases-usual.ts';
import { Person } from './person.ts';
import { createWord, Post } from './post.ts';
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

async function stands(life: Life, draft: string): Promise<boolean> {
  return (await life.hands.look()).text.includes(draft);
}
