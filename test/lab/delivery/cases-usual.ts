import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { waitUntil } from '../../support/wait-until.ts';
import { type Check, must } from '../life/check.ts';
import { isAtRest, isProcessing, type Life, patienceMs } from '../life/life.ts';
import { type Letter, Post } from './post.ts';
import { traits } from './traits.ts';

/** Long enough that what is sent meanwhile is sent to a busy agent, on a busy machine too. */
const slow = '@@sleep 6 @@say a slow answer';

/** A plain `sleep` is blocked by Qwen Code 0.24.4. */
const slowTool = `node -e "setTimeout(function(){require('fs').writeFileSync('tool-ended.txt','')},4000)"`;

export const usualCases: readonly Check[] = [
  {
    name: 'idle',
    promise: 'an idle agent is woken at once, without a keystroke where the CLI has a way in',
    isShort: true,
    run: async (life) => {
      await life.launch();
      await life.isReady(0);
      if (isReachedAtBoundariesAlone(life)) {
        await waitsForTurn(life);
        return undefined;
      }
      const post = new Post(life);
      const letter = await post.send();
      await post.isSeen(letter, traits[life.lab.name].idle);
      await settles(life);
      return undefined;
    },
  },
  {
    name: 'busy-text',
    promise: 'a busy agent gets it at its next safe point; the running answer is not broken off',
    isShort: true,
    run: async (life) => {
      const post = new Post(life);
      const turn = await life.ask(slow);
      await life.hears('processing', isProcessing, turn.from);
      const letter = await post.send();
      await post.isSeen(letter, traits[life.lab.name].busy);
      must(turn.request.outcome === 'finished', `the running answer: ${turn.request.outcome}`);
      const [first] = post.requestsWith(letter);
      must((first?.at ?? 0) >= (turn.request.endedAt ?? 0), 'it interrupted the running answer');
      await settles(life);
      return undefined;
    },
  },
  {
    name: 'busy-tool',
    promise: 'while a tool runs, too; the tool is not disturbed',
    run: async (life) => {
      const post = new Post(life);
      const from = life.events.length;
      await life.ask(`@@tool ${slowTool} @@say after the tool`);
      await life.hears('waiting', ({ status }) => status === 'waiting', from);
      await isDrawn(life);
      await allow(life);
      const letter = await post.send();
      await post.isSeen(letter);
      must(existsSync(join(life.home.cwd, 'tool-ended.txt')), 'the tool did not end');
      must((await route(post, letter)) !== 'paste', 'it was pasted');
      await settles(life);
      return undefined;
    },
  },
  {
    name: 'dialog',
    promise:
      'D7, rule 51c: an open permission dialog is neither answered nor covered; the message waits on our side, then goes in',
    isShort: true,
    run: async (life) => {
      const post = new Post(life);
      const hasRun = (): boolean => existsSync(join(life.home.cwd, 'dialog.txt'));
      const from = life.events.length;
      await life.ask('@@tool touch dialog.txt @@say after the tool');
      await life.hears('waiting', ({ status }) => status === 'waiting', from);
      await isDrawn(life);
      const letter = await post.send();
      // Time for whoever would press a key.
      await life.box.ask(['status', 'lab']);
      await pause(3000);
      must((await life.show()).status === 'waiting', 'the dialog is gone');
      must(!hasRun(), 'the dialog was answered');
      must((await post.state(letter.id)) === 'queued', 'it was put into a queue of the CLI (51c)');
      await life.hands.press(life.lab.denyKeys);
      await life.hears('the end of the question', ({ status }) => status !== 'waiting', from);
      if (isReachedAtBoundariesAlone(life)) {
        await settles(life);
        // A denied turn of Gemini CLI 0.61.0 ends without its hook: the next one has it.
        if ((await post.state(letter.id)) === 'queued') await life.ask('@@say a turn of a person');
      }
      await post.isSeen(letter);
      must(!hasRun(), 'the tool ran');
      must(
        (await route(post, letter)) !== 'paste' || traits[life.lab.name].idle === 'paste',
        'pasted',
      );
      await settles(life);
      return undefined;
    },
  },
  {
    name: 'draft',
    promise: "rule 24: a person's draft is neither sent, nor changed, nor cleared",
    isShort: true,
    run: async (life) => {
      const { idle, emptyKeys } = traits[life.lab.name];
      const post = new Post(life);
      await life.empty();
      await life.hands.write('half a thought');
      await life.hears('a draft', ({ composer }) => composer === 'draft', life.events.length - 1);
      const letter = await post.send();
      if (idle === 'paste') {
        await pause(4000);
        must((await post.state(letter.id)) === 'queued', 'it did not wait for the draft');
        must(await stands(life), 'the draft is gone');
        await life.hands.press(emptyKeys);
        await post.isSeen(letter, 'paste');
      } else {
        await post.isSeen(letter, 'native');
        must(await stands(life), 'the draft is gone');
      }
      const sent = life.mock.requests.some(({ lastUserText }) =>
        lastUserText.includes('half a th'),
      );
      must(!sent, 'the draft was sent');
      await settles(life);
      if (idle === 'native') await life.hands.press(emptyKeys);
      await life.empty();
      return undefined;
    },
  },
  {
    name: 'copy-mode',
    promise: 'rule 24: nobody is thrown out of copy mode, and nothing is typed into it',
    run: async (life) => {
      const post = new Post(life);
      await life.hands.copyMode();
      const letter = await post.send();
      if (traits[life.lab.name].idle === 'paste') {
        await pause(3000);
        must((await post.state(letter.id)) === 'queued', 'it did not wait');
        must(await life.hands.isInCopyMode(), 'copy mode was ended');
        await life.hands.leaveCopyMode();
        await post.isSeen(letter);
      } else {
        await post.isSeen(letter, 'native');
        must(await life.hands.isInCopyMode(), 'copy mode was ended');
        await life.hands.leaveCopyMode();
      }
      await settles(life);
      return undefined;
    },
  },
  {
    name: 'two-senders',
    promise: 'D8: two senders at once, both seen, once each, each with its name',
    run: async (life) => {
      const post = new Post(life);
      for (const name of ['ann', 'bob'])
        await life.box.ask(['agents', 'add', name]).catch(() => undefined);
      const letters = await Promise.all([
        post.send('@@say a', ['--from', 'ann']),
        post.send('@@say b', ['--from', 'bob']),
      ]);
      for (const letter of letters) await post.isSeen(letter);
      const bodies = letters.map((letter) => post.requestsWith(letter).at(-1)?.body ?? '');
      must(bodies[0]?.includes('from ann') === true, 'ann is not named');
      must(bodies[1]?.includes('from bob') === true, 'bob is not named');
      await settles(life);
      return undefined;
    },
  },
  {
    name: 'burst',
    promise: 'rule 21: 20 at once are seen in order, once each, in few turns',
    run: async (life) => {
      const post = new Post(life);
      const before = life.mock.requests.length;
      const letters: Letter[] = [];
      for (let i = 0; i < 20; i++) letters.push(await post.send('@@sleep 1 @@say ok'));
      for (const letter of letters) await post.isSeen(letter);
      const last = post.requestsWith(letters.at(-1) ?? { id: '', word: '' }).at(-1)?.body ?? '';
      const places = letters.map(({ word }) => last.indexOf(word));
      must(
        places.every((place, i) => place >= 0 && place >= (places[i - 1] ?? 0)),
        'out of order',
      );
      await settles(life);
      const turns = life.mock.requests.slice(before).filter(({ isSide }) => !isSide).length;
      must(turns <= 14, `it took ${turns} requests`);
      return undefined;
    },
  },
];

function isReachedAtBoundariesAlone({ box, lab }: Life): boolean {
  return box.terminal === 'herdr' && traits[lab.name].idle === 'paste';
}

/**
 * Into a CLI at rest that nothing can wake in herdr: it waits, says why, and goes in at the end of
 * the next turn.
 */
async function waitsForTurn(life: Life): Promise<void> {
  const post = new Post(life);
  const letter = await post.send();
  await pause(3000);
  const { message, waitsFor, waitsForCode } = await post.explain(letter.id);
  must(message.state === 'queued', `it is ${message.state}`);
  must(waitsForCode === 'backend-blind', `it waits for ${waitsForCode}: ${waitsFor}`);
  await life.ask('@@say a turn of a person');
  await post.isSeen(letter, 'turn-boundary');
  await settles(life);
}

async function route(post: Post, letter: Letter): Promise<string | undefined> {
  return (await post.explain(letter.id)).attempts.at(-1)?.route;
}

/**
 * Pressed again as long as nothing comes of it: Claude Code 2.1.325 ignores a key in a dialog's
 * first moments.
 */
export async function allow(life: Life, keys = traits[life.lab.name].allowKeys): Promise<void> {
  const isGone = (): boolean => life.current?.status !== 'waiting';
  for (let tries = 0; tries < 6 && !isGone(); tries++) {
    await pause(700);
    await life.hands.press(keys);
    await waitUntil('the end of the question', isGone, 3000).catch(() => undefined);
  }
  must(isGone(), 'the dialog stays');
}

export async function isDrawn(life: Life): Promise<void> {
  await waitUntil('the question on the screen', () => life.current?.composer === 'hidden', 20_000);
}

async function stands(life: Life): Promise<boolean> {
  return (await life.hands.look()).text.includes('half a thought');
}

/** At rest, and nothing more is answered: the next case begins there. */
export async function settles(life: Life): Promise<void> {
  const isQuiet = (): boolean => {
    const { current, mock } = life;
    const isAnswered = mock.requests.every(({ outcome }) => outcome !== undefined);
    const lastEnd = Math.max(0, ...mock.requests.map(({ endedAt }) => endedAt ?? 0));
    const since = Date.now() - Math.max(current?.at ?? 0, lastEnd);
    return current !== undefined && isAtRest(current) && isAnswered && since > 1000;
  };
  await waitUntil('rest', isQuiet, patienceMs);
}

export async function pause(ms: number): Promise<void> {
  await new Promise((done) => setTimeout(done, ms));
}
