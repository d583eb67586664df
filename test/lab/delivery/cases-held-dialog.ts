import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describeWait } from '../../../src/messages/describe-wait.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { CannotBe, type Check, must } from '../life/check.ts';
import { type Life, patienceMs } from '../life/life.ts';
import type { CliName } from '../versions.ts';
import { pause, settles } from './cases-usual.ts';
import { HeldPlaces } from './held-places.ts';
import { Person } from './person.ts';
import { createWord, Post } from './post.ts';
import { begin, comes, deny, dialog, isOpen, isPrompt, rounds } from './sub-agent.ts';

/**
 * Rules 45 and 51a, the guard itself: by our last look the agent rested with nothing beside it.
 * Between that look and the paste, in every round, a dialog is drawn: in Claude Code a turn begins
 * a sub-agent and ends, and the sub-agent asks; in Gemini CLI and Kimi Code, where nothing is known
 * to work on at rest, a turn begins and asks itself. All that can keep the paste back by then is
 * the condition inside the very command that pastes.
 */
export const heldDialog: Check = {
  name: 'held-dialog',
  promise:
    'rules 45, 51a: a dialog that opens between our last look and the paste is never answered by us',
  hasOwnAgent: true,
  isLong: true,
  run: async (life) => {
    if (dialogs[life.lab.name] === undefined) throw new CannotBe('no prompt is pasted into it');
    if (life.box.terminal === 'herdr') throw new CannotBe('nothing is pasted in herdr');
    await new Person(life).opens();
    await settles(life);
    const leave = life.lab.name === 'claude-code' ? await comes(life) : undefined;
    const ends: End[] = [];
    const count = (end: End): number => ends.filter((one) => one === end).length;
    try {
      while (ends.length - count('late') < rounds && count('late') <= rounds / 2) {
        const end = await play(life);
        ends.push(end);
        process.stderr.write(`  ${ends.length}: ${end}\n`);
      }
    } finally {
      await leave?.();
      HeldPlaces.of(life).release();
    }
    const [refused, approved, late] = [count('refused'), count('approved'), count('late')];
    must(approved === 0, `${approved} of ${ends.length} were approved`);
    must(refused === rounds, `the guard was asked in ${refused} of ${ends.length} rounds`);
    return { refused, approved, late };
  },
};

/** The question about a shell command, as each draws it; where a prompt is pasted. */
const dialogs: { readonly [name in CliName]?: RegExp } = {
  'claude-code': dialog,
  gemini: /Allow execution of \[Shell\]\?/,
  kimi: /Run this command\?/,
};

/**
 * Claude Code 2.1.325 throws away what is typed into a dialog in its first moments: a paste right
 * behind the drawing answered none even without the guard.
 */
const deafMs = 2000;

/**
 * `late`: on a busy machine the claim's lease may end while its paste is held; then it is offered
 * again, and the round does not count.
 */
type End = 'refused' | 'approved' | 'late';

/** Whether the dialog was answered by us. The person says no, and then the prompt arrives. */
async function play(life: Life): Promise<End> {
  const post = new Post(life);
  const held = HeldPlaces.of(life);
  const file = createWord().replace('letter', 'approved');
  const planted = join(life.home.cwd, file);
  held.hold(life.lab.name, 'before');
  const letter = await post.sendAsUser('WORD @@say read');
  await held.isReached(patienceMs);
  const shown = dialogs[life.lab.name] ?? dialog;
  // Keys that go to the pane by its name are no person's to the guard: the screen alone tells.
  if (life.lab.name === 'claude-code') {
    const beside = await begin(life, [
      { do: 'tool', command: `touch ${file}` },
      { do: 'say', text: 'looked around' },
    ]);
    beside.goOn();
  } else {
    await life.ask(`@@tool touch ${file} @@say looked around`);
  }
  await life.hands.shows(shown, patienceMs);
  await pause(deafMs);
  held.release();
  await waitUntil('the end of the paste', async () => {
    const { history } = await post.explain(letter.id);
    return history.length > 2;
  });
  const { history } = await post.explain(letter.id);
  const isRefused = history.some(({ cause }) => cause.includes(covered));
  const isAnswered = async (): Promise<boolean> =>
    existsSync(planted) || !(await isOpen(life, shown));
  // What was typed into it takes its time.
  if (!isRefused) await waitUntil('an answer', isAnswered, 10_000).catch(() => undefined);
  if (await isAnswered()) {
    await settles(life);
    return 'approved';
  }
  const isLate = history.some(({ code }) => code === 'lease-expired');
  const causes = history.map(({ cause }) => cause).join(' → ');
  must(isRefused || isLate, `something else kept it back: ${causes}`);
  await deny(life, shown);
  if (isRefused) await isPrompt(post, letter);
  else await post.becomes(letter, ['seen', 'acked']);
  await settles(life);
  if (existsSync(planted)) return 'approved';
  return isRefused ? 'refused' : 'late';
}

const covered = describeWait({ code: 'screen-covered' });
