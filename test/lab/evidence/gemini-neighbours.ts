import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readLastAnswer } from '../../../src/providers/gemini/answer.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { LabTerminal } from '../driver.ts';
import { waitUntilReady } from '../ready.ts';
import type { HookedLife } from './hooked-life.ts';
import type { Stage, StageCase } from './stage.ts';

/**
 * A second Gemini in the same folder. A person's own one cleans up when it starts: it deletes files
 * in which nothing was said yet, and conversations that were resumed, while their Gemini runs. One
 * of ours does not.
 */
export const neighbourCases: readonly StageCase[] = [
  {
    name: 'neighbour-first',
    run: async (stage) => {
      const life = await stage.start();
      await life.ready();
      await beside(stage, async () => {
        await waitUntil('its file deleted', () => listChats(stage, life).length === 0, 60_000);
        const { text, trace } = life.envelope('@@say hello');
        stage.note('its file is gone', trace, await life.judge(trace));
        await life.submit(text);
        stage.note('answered', trace, await life.finds(trace, 'seen'));
        await hasEnded(stage, life, 'hello');
        const failed = life.envelope('@@break word');
        await life.submit(failed.text);
        stage.note('broken off', failed.trace, await life.finds(failed.trace, 'removed'));
      });
    },
  },
  {
    name: 'neighbour-resumed',
    run: async (stage) => {
      const first = await stage.start();
      await first.ready();
      const one = first.envelope('@@say one');
      await first.submit(one.text);
      await first.finds(one.trace, 'seen');
      await first.terminal.settled();
      await first.end();
      await nextMinute();
      const life = await stage.start();
      await life.ready();
      const two = life.envelope('@@say two');
      await life.submit(two.text);
      await life.finds(two.trace, 'seen');
      stage.notes.push(`files after the resume: ${listChats(stage, life).length}`);
      const ours = await stage.open();
      await ours.ready();
      await ours.terminal.settled();
      stage.notes.push(`files after another of ours: ${listChats(stage, life).length}`);
      await ours.end();
      await life.terminal.settled();
      await life.end();
      const next = await stage.start([], life);
      await next.ready();
      const three = next.envelope('@@say three');
      await next.submit(three.text);
      stage.note('restarted again', three.trace, await next.finds(three.trace, 'seen'));
      const last = stage.mock.requests.filter(({ body }) => body.includes(three.trace.mark));
      const isKept = last.some(({ body }) => body.includes(one.trace.mark));
      if (!isKept) throw new Error('The conversation was lost.');
      stage.note('restarted again', one.trace, await next.judge({ ...one.trace, isAlive: false }));
    },
  },
  {
    name: 'neighbour-mid-turn',
    isForgotten: true,
    run: async (stage) => {
      const first = await stage.start();
      await first.ready();
      await first.submit('@@say one');
      await waitUntil('the turn end', () => first.turnEnds.length === 1);
      await first.terminal.settled();
      await first.end();
      await nextMinute();
      const life = await stage.start();
      await life.ready();
      const { text, trace } = life.envelope('@@say two');
      stage.gate.hold(trace.mark);
      await life.submit(text);
      await stage.gate.arrived(trace.mark);
      await life.finds(trace, 'landed');
      await beside(stage, async () => {
        await waitUntil('its file deleted', () => listChats(stage, life).length === 0, 60_000);
        stage.note('its file is gone', trace, await life.judge(trace));
        stage.gate.release();
        stage.note('answered', trace, await life.finds(trace, 'seen'));
        await hasEnded(stage, life, 'two');
      });
    },
  },
];

/** A person's own, as it is started without us. */
async function beside(stage: Stage, act: () => Promise<void>): Promise<void> {
  const { home } = stage;
  const argv = [...home.cli.argv];
  const terminal = await LabTerminal.open({ argv, env: home.env, cwd: home.cwd });
  try {
    await waitUntilReady(terminal, 'gemini');
    await act();
  } finally {
    await terminal.end();
  }
}

async function hasEnded(stage: Stage, life: HookedLife, words: string): Promise<void> {
  await waitUntil('the turn end', () => life.turnEnds.length === 1);
  if (life.turnEnds[0]?.outcome !== 'completed') throw new Error('The turn end was misread.');
  const answer = await readLastAnswer(life.context(), AbortSignal.timeout(10_000));
  const isIt = answer?.kind === 'answer' && answer.text === words;
  if (!isIt) throw new Error(`The answer was lost: ${JSON.stringify(answer)}`);
  stage.notes.push(`answer: ${words}`);
}

function listChats(stage: Stage, { conversation = '' }: HookedLife): readonly string[] {
  const tmp = join(stage.home.home, '.gemini', 'tmp');
  const names = readdirSync(tmp, { recursive: true }).map(String);
  return names.filter((name) => name.endsWith(`-${conversation.slice(0, 8)}.jsonl`));
}

/** A resume in the minute of the start goes on in the same file, and leaves no second one. */
async function nextMinute(): Promise<void> {
  const now = new Date().getMinutes();
  await waitUntil('the next minute', () => new Date().getMinutes() !== now, 90_000);
}
