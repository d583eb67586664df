import type { AgentView } from '../../../src/protocol/agents.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { LabTerminal } from '../driver.ts';
import type { Check } from '../life/check.ts';
import { must } from '../life/check.ts';
import { type Life, patienceMs } from '../life/life.ts';
import { waitUntilReady } from '../ready.ts';
import { holdsAccount } from './account.ts';
import { settles } from './cases-usual.ts';
import { createWord, type Letter, Post } from './post.ts';

/** Two of the same CLI in one folder: a team as the README shows it, or an agent and a person. */
const team: Check = {
  name: 'two-in-one-folder',
  promise:
    'two agents of the same CLI in one folder: before the first message of each and while both are busy, each gets its own, once',
  run: async (life) => {
    const hands = await life.launchBeside('beside');
    try {
      await waitUntil('the other at rest', () => isReady(life), patienceMs);
      const here = new Post(life);
      const there = new Post(life, 'beside');
      const first = await Promise.all([here.send(), there.send()]);
      await here.isSeen(first[0]);
      await there.isSeen(first[1]);
      await settles(life);
      await waitUntil('the other at rest', () => isReady(life), patienceMs);
      const busy = [createWord(), createWord()] as const;
      await life.hands.submit(`@@sleep 8 @@say ${busy[0]}`);
      await hands.submit(`@@sleep 8 @@say ${busy[1]}`);
      for (const word of busy) {
        await life.mock.waitFor(({ lastUserText }) => lastUserText.includes(word), patienceMs);
      }
      const second = await Promise.all([here.send(), there.send()]);
      await here.isSeen(second[0]);
      await there.isSeen(second[1]);
      await holdsAccount(here, [first[0], second[0]]);
      await holdsAccount(there, [first[1], second[1]]);
      areApart(life, [first[0], second[0]], [first[1], second[1]]);
      await settles(life);
      return undefined;
    } finally {
      await life.box.ask(['rm', 'beside']);
    }
  },
};

/**
 * Its own clean-up at the start may take away what an agent of ours has written, or is about to
 * (Gemini CLI 0.61.0).
 */
const person: Check = {
  name: 'person-in-one-folder',
  promise:
    'a person starts the same CLI in its folder, before its first message: it gets each once, at rest and at work, and its answer is read',
  run: async (life) => {
    const { home, lab } = life;
    const argv = [...home.cli.argv, ...home.args];
    const env = { ...home.env, ...lab.env };
    const terminal = await LabTerminal.open({ argv, env, cwd: home.cwd });
    try {
      await waitUntilReady(terminal, lab.name);
      const post = new Post(life);
      const word = createWord();
      const first = await post.send(`@@say ${word}`);
      await post.isSeen(first);
      await settles(life);
      const { text } = await life.lastAnswer();
      must(text.includes(word), `its answer is read as ${JSON.stringify(text)}`);
      const busy = createWord();
      await life.hands.submit(`@@sleep 8 @@say ${busy}`);
      await life.mock.waitFor(({ lastUserText }) => lastUserText.includes(busy), patienceMs);
      const second = await post.send();
      await post.isSeen(second);
      await holdsAccount(post, [first, second]);
      await settles(life);
      return undefined;
    } finally {
      await terminal.end();
    }
  },
};

const restarted: Check = {
  name: 'restart-then-neighbour',
  promise:
    'restarted, then another of the same CLI starts in its folder: its conversation is kept, through the next restart, too',
  run: async (life) => {
    const post = new Post(life);
    const first = await post.send();
    await post.isSeen(first);
    await settles(life);
    // Gemini CLI 0.61.0 names its files by the minute: only then a resume leaves a second one.
    await nextMinute();
    await restart(life);
    const second = await post.send();
    await post.isSeen(second);
    await settles(life);
    await life.launchBeside('beside');
    try {
      await waitUntil('the other at rest', () => isReady(life), patienceMs);
      const third = await post.send();
      await post.isSeen(third);
      await settles(life);
      await restart(life);
      const last = await post.send();
      await post.isSeen(last);
      const { body = '' } = post.requestsWith(last).at(-1) ?? {};
      for (const { word } of [first, second, third]) {
        must(body.includes(word), 'the conversation was lost');
      }
      await holdsAccount(post, [first, second, third, last]);
      await settles(life);
      return undefined;
    } finally {
      await life.box.ask(['rm', 'beside']);
    }
  },
};

export const neighbourCases: readonly Check[] = [team, person, restarted];

async function restart(life: Life): Promise<void> {
  const from = life.events.length;
  await life.restart();
  await life.isReady(from);
}

async function nextMinute(): Promise<void> {
  const now = new Date().getMinutes();
  await waitUntil('the next minute', () => new Date().getMinutes() !== now, patienceMs);
}

async function isReady(life: Life): Promise<boolean> {
  const { status, composer } = await life.box.ask<AgentView>(['status', 'beside']);
  return (status === 'idle' || status === 'completed') && composer === 'empty';
}

function areApart(life: Life, ours: readonly Letter[], theirs: readonly Letter[]): void {
  const isIn = (body: string, letters: readonly Letter[]): boolean =>
    letters.some(({ word }) => body.includes(word));
  const mixed = life.mock.requests.filter(({ body }) => isIn(body, ours) && isIn(body, theirs));
  must(mixed.length === 0, 'one of them got what was sent to the other');
}
