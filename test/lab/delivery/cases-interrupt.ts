import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { InterruptView } from '../../../src/protocol/interrupt.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { CannotBe, type Check, must } from '../life/check.ts';
import { isAtRest, isProcessing, Life, patienceMs, type Turn } from '../life/life.ts';
import { holdsAccount } from './account.ts';
import { pause, settles } from './cases-usual.ts';
import { isTrue } from './interrupt-truth.ts';
import { asksLater, runsTool, showsQuestion } from './long-turns.ts';
import { longAnswer, Person } from './person.ts';
import { createWord, type Letter, Post } from './post.ts';
import { traits } from './traits.ts';

/** `signalbox interrupt`, with the real CLIs: where a turn runs, and where none may be ended. */
export const interruptCases: readonly Check[] = [
  {
    name: 'stop-answer',
    promise: 'rule 45: `interrupt` breaks off an answer that streams; the next message is read',
    run: async (life) => {
      await settles(life);
      const turn = await streams(life);
      await stops(life);
      await waitUntil('the end of the request', () => turn.request.outcome, patienceMs);
      must(turn.request.outcome === 'client-closed', `the answer: ${turn.request.outcome}`);
      await readsNext(life);
      return undefined;
    },
  },
  {
    name: 'stop-tool',
    promise: 'rule 45: and a tool that runs; the next message is read',
    run: async (life) => {
      await runsTool(life);
      await life.hears('work', isProcessing, life.events.length - 1);
      await pause(1500);
      await stops(life);
      await readsNext(life);
      return undefined;
    },
  },
  {
    name: 'stop-dialog',
    promise: 'rule 39: in a dialog it is refused, and the dialog stands as it was',
    run: async (life) => {
      const turn = await asksLater(life, 0);
      await showsQuestion(life, turn);
      await isRefused(life, /asks a person/);
      // A key would have ended it by now.
      await pause(1500);
      const { status, composer } = await life.show();
      must(status === 'waiting' && composer === 'hidden', `it is ${status}, ${composer}`);
      await life.hands.press(life.lab.denyKeys);
      await settles(life);
      return undefined;
    },
  },
  {
    name: 'stop-rest',
    promise: 'at rest it is refused, and nothing on the screen changes',
    run: async (life) => {
      await settles(life);
      const before = (await life.hands.look()).text;
      await isRefused(life, /is at rest/);
      await pause(1000);
      must(samePlace(before, (await life.hands.look()).text), 'the screen has changed');
      return undefined;
    },
  },
  {
    name: 'stop-draft',
    promise: 'rule 24: with a draft in the composer it is refused, and the draft stands',
    run: async (life) => {
      const turn = await streams(life);
      await life.hands.write('half a thought');
      await waitUntil('a draft', () => life.current?.composer === 'draft', 20_000);
      await isRefused(life, /A draft stands/);
      must((await life.hands.look()).text.includes('half a thought'), 'the draft is gone');
      must(turn.request.outcome === undefined, 'the answer was broken off');
      await life.hands.press(traits[life.lab.name].emptyKeys);
      await waitUntil('no draft', () => life.current?.composer !== 'draft', 20_000);
      must(turn.request.outcome === undefined, 'the answer was broken off');
      await stops(life);
      await readsNext(life);
      return undefined;
    },
  },
  {
    name: 'stop-prompt',
    promise:
      'rule 51d: it is the person’s Esc for a prompt of the user that runs: what it did is told, and the prompt is not said again',
    run: async (life) => {
      await settles(life);
      if (life.current?.composer === 'draft') await new Person(life).empties();
      const post = new Post(life);
      const letter = await post.sendAsUser('WORD @@sleep 300 @@say never read');
      await waitUntil('its request', () => post.requestsWith(letter)[0], patienceMs);
      await life.hears('work', isProcessing, Math.max(0, life.events.length - 2));
      await pause(1500);
      const done = await stops(life);
      const told = done.messages.find(({ id }) => id === letter.id);
      must(told !== undefined, 'it says nothing of the prompt');
      must(told?.fate !== 'unknown', 'its fate is unknown');
      await pause(12_000);
      must(post.requestsWith(letter).length === 1, 'it was said again');
      await isTrue(life, letter, told?.fate);
      const { interruptions = [] } = await post.explain(letter.id);
      must(interruptions.length === 1, `explain names ${interruptions.length} who ended it`);
      await readsNext(life);
      return undefined;
    },
  },
  {
    name: 'stop-queued',
    promise:
      'rules 22, 42: with a message that waits, in the CLI’s own queue or here: it is counted, and read once by itself',
    run: async (life) => {
      const post = new Post(life);
      const turn = await streams(life);
      const letter = await post.send();
      await pause(1500);
      must(turn.request.outcome === undefined, 'the answer was over before');
      const { waiting, waitsFor } = await stops(life);
      say(life, `${waiting} waiting: ${waitsFor}`);
      await post.isSeen(letter);
      await holdsAccount(post, [letter]);
      await settles(life);
      return undefined;
    },
  },
  {
    name: 'stop-script',
    promise: 'rule 54: a script may not, and the turn goes on',
    run: async (life) => {
      const turn = await streams(life);
      const said = await life.box.show(['interrupt', 'lab', '--json']);
      must(said.includes('not-allowed'), said);
      must(turn.request.outcome === undefined, 'the answer was broken off');
      await stops(life);
      await settles(life);
      return undefined;
    },
  },
  {
    name: 'stop-vim',
    promise: 'rule 45: with vim’s keys in the composer, in its insert and in its normal mode, too',
    hasOwnLife: true,
    run: async ({ lab, box }) => {
      if (lab.name !== 'claude-code') throw new CannotBe('vim’s keys were tried in Claude Code');
      const life = await Life.open(lab, box.program);
      try {
        const file = join(life.home.home, '.claude.json');
        const before = JSON.parse(readFileSync(file, 'utf8')) as object;
        writeFileSync(file, JSON.stringify({ ...before, editorMode: 'vim' }));
        await life.launch();
        await life.isReady(0);
        // The first leaves it in normal mode, where one Esc is enough.
        for (const presses of [2, 1]) {
          const turn = await streams(life);
          const done = await stops(life);
          must(done.presses === presses, `${done.presses} Escapes, not ${presses}`);
          await waitUntil('the end of the request', () => turn.request.outcome, patienceMs);
          await settles(life);
        }
      } finally {
        await life.close();
      }
      return undefined;
    },
  },
];

/**
 * The model answers at length, and its first words are on the screen. Where the same prompt is
 * asked for once more, behind what broke it off, the answer is short.
 */
export async function streams(life: Life): Promise<Turn> {
  const word = createWord();
  life.mock.teach(word, [longAnswer]);
  const turn = await life.ask(`@@play ${word}`);
  await life.hands.shows(/word20\b/, patienceMs);
  life.mock.teach(word, [{ do: 'say', text: 'goes on' }]);
  return turn;
}

function say({ lab }: Life, what: string): void {
  process.stdout.write(`${lab.name}  ${what}\n`);
}

export async function stops(life: Life): Promise<InterruptView> {
  const from = life.events.length;
  const { code, document } = await life.box.tryAsUser<InterruptView>([
    'interrupt',
    'lab',
    '--timeout',
    '30s',
  ]);
  must(code === 0, `it ended with ${code}: ${JSON.stringify(document)}`);
  must(isAtRest(document), `it is ${document.status}`);
  await life.hears('rest', isAtRest, Math.max(0, from - 1));
  return document;
}

async function isRefused(life: Life, why: RegExp): Promise<void> {
  const { code, document } = await life.box.tryAsUser<{ error?: { message: string } }>([
    'interrupt',
    'lab',
  ]);
  const said = document.error?.message ?? JSON.stringify(document);
  must(code === 5 && why.test(said), `it ended with ${code}: ${said}`);
}

export async function readsNext(life: Life): Promise<Letter> {
  const post = new Post(life);
  if (life.current?.composer === 'draft') await new Person(life).empties();
  const next = await post.send(`@@say next ${createWord()}`);
  await post.isSeen(next);
  await settles(life);
  return next;
}

/** Clocks, tips and spinners move on; the composer and what stands around it do not. */
function samePlace(before: string, after: string): boolean {
  const shape = (text: string): string => text.replace(/[\d\s]+/g, '').slice(-200);
  return shape(before) === shape(after);
}
