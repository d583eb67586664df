import { provider as claudeCode } from '../../../src/providers/claude-code/provider.ts';
import { compareVersions } from '../../../src/shared/compare-versions.ts';
import { holdsAccount } from '../delivery/account.ts';
import { breaksOff, readsNext } from '../delivery/cases-interrupted.ts';
import { nextCases } from '../delivery/cases-next.ts';
import { standingCases } from '../delivery/cases-standing.ts';
import { settles, usualCases } from '../delivery/cases-usual.ts';
import { Post } from '../delivery/post.ts';
import { traits } from '../delivery/traits.ts';
import { CannotBe, type Check, must } from '../life/check.ts';
import type { Life } from '../life/life.ts';
import { type CliName, pins } from '../versions.ts';

/** The seven that every version is asked for, in this order. */
export const olderCases: readonly Check[] = [
  {
    name: 'launch',
    promise: 'it is launched, rests, and its composer is proven empty',
    run: async (life) => {
      await life.launch();
      await life.isReady(0);
      return undefined;
    },
  },
  {
    name: 'idle',
    promise: 'a message to the idle agent is read',
    run: asWoken(async (life) => {
      const post = new Post(life);
      await post.isSeen(await post.send(), traits[life.lab.name].idle);
      await settles(life);
      return undefined;
    }),
  },
  {
    name: 'user',
    promise:
      'what the user sends to the idle agent is read as the user’s own prompt, word for word',
    run: asWoken(async (life) => {
      const { name } = life.lab;
      const since = promptsSince[name];
      if (since === undefined || compareVersions(pins[name].version, since) >= 0)
        return await reuse(standingCases, 'user-idle')(life);
      const post = new Post(life);
      const { message } = await post.isSeen(await post.sendAsUser('WORD @@say ok'));
      must(message.standing === 'notice', `explain says ${message.standing}`);
      throw new CannotBe(`what the user sends is a notice that names the user before ${since}`);
    }),
  },
  {
    name: 'busy',
    promise: 'a message to the busy agent is read when its turn ends, which goes on undisturbed',
    run: asWoken(reuse(usualCases, 'busy-text')),
  },
  {
    name: 'esc',
    promise: 'after Esc the next message is read soon, and none is doubled in silence',
    run: asWoken(async (life) => {
      const { post, person, first } = await breaksOff(life, 'hang');
      const { next, measured } = await readsNext(life, person, first.escAt, 'esc-silent');
      await person.empties();
      await holdsAccount(post, [first.letter, next]);
      await settles(life);
      return measured;
    }),
  },
  {
    name: 'new',
    promise: 'after `/clear` the next message is read soon, in the new conversation',
    run: asWoken(reuse(nextCases, 'clear-next')),
  },
  {
    name: 'restart',
    promise: 'a restart resumes the conversation, and the next message is read in it',
    run: asWoken(async (life) => {
      const post = new Post(life);
      const before = await post.send();
      await post.isSeen(before);
      await settles(life);
      await life.restart();
      const after = await post.send();
      await post.isSeen(after);
      const last = post.requestsWith(after).at(-1)?.body ?? '';
      must(last.includes(before.word), 'it did not go on with its conversation');
      await settles(life);
      return undefined;
    }),
  },
];

/** Which versions take a prompt of the user's by a paste, where not all do. */
const promptsSince: { readonly [name in CliName]?: string | undefined } = {
  'claude-code': claudeCode.capabilities.pastesWithEnterSince,
};

/** A version that nothing wakes must say so, and then cannot be asked for more. */
function asWoken(run: Check['run']): Check['run'] {
  return async (life) => {
    const { unwoken } = await life.show();
    if (unwoken === undefined) return await run(life);
    await waitsAndSaysSo(life, unwoken);
    throw new CannotBe(unwoken);
  };
}

async function waitsAndSaysSo(life: Life, unwoken: string): Promise<void> {
  const post = new Post(life);
  const sent = await life.box.ask<{ readonly id: string; readonly unwoken?: string }>([
    ...['send', 'lab', 'it waits'],
  ]);
  must(sent.unwoken === unwoken, `send says ${sent.unwoken}; status says ${unwoken}`);
  must((await post.state(sent.id)) === 'queued', 'it was carried, although nothing wakes it');
}

function reuse(cases: readonly Check[], name: string): Check['run'] {
  const found = cases.find((one) => one.name === name);
  if (!found) throw new Error(`There is no case ${name}.`);
  return found.run;
}
