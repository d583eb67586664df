import { setTimeout as delay } from 'node:timers/promises';
import type { AttemptTrace } from '../../../src/providers/way-in.ts';
import { type ClaudeLab, type EvidenceCase, ends } from './claude-code-lab.ts';
import { until } from './claude-code-life.ts';

/** Deaths, other conversations, and what must not count. */
export const harderCases: readonly EvidenceCase[] = [
  { name: 'queued-killed', run: queuedKilled },
  { name: 'sent-killed', run: sentKilled },
  { name: 'answering-killed', run: answeringKilled },
  { name: 'clear', run: clear },
  { name: 'quoted', wish: { approvals: 'allow-shell' }, run: quoted },
  { name: 'rewound', run: rewound },
  { name: 'two', run: two },
];

/** Killed while the message waits in its queue: the queue is lost. */
async function queuedKilled(lab: ClaudeLab): Promise<void> {
  const life = await lab.start();
  await life.ready();
  const base = await life.wake('base');
  await life.finds(base, 'seen');
  lab.gate.hold('@@say busy');
  await life.terminal.prompt('@@say busy');
  await lab.gate.arrived('@@say busy');
  const trace = await life.wake('next');
  lab.note('while busy', trace, await life.finds(trace, 'held'));
  await life.end('kill');
  lab.gate.release();
  const next = await lab.start();
  await next.ready();
  const dead: AttemptTrace = { ...trace, isAlive: false };
  lab.note('killed and resumed', dead, await next.judge(dead));
  const after = await next.wake('after');
  lab.note('the next one', after, await next.finds(after, 'seen'));
  lab.note('later', dead, await next.judge(dead));
}

/** The model has the request, and there may be no record of it. */
async function sentKilled(lab: ClaudeLab): Promise<void> {
  const life = await lab.start();
  await life.ready();
  const base = await life.wake('base');
  await life.finds(base, 'seen');
  await ends(lab, life, ['completed']);
  const trace = life.trace('native');
  lab.gate.hold(trace.mark);
  await life.wakeAs(trace, 'never');
  await lab.gate.arrived(trace.mark);
  await life.end('kill');
  lab.gate.release();
  const isSubmitted = life.isSubmitted(trace.mark);
  lab.notes.push(`the submit hook had ${isSubmitted ? '' : 'not '}run`);
  const next = await lab.start();
  await next.ready();
  const dead: AttemptTrace = { ...trace, isAlive: false, isSubmitted };
  lab.note('killed right after the request', dead, await next.judge(dead));
}

/** Its records are there, and the resume writes a synthetic answer below them. */
async function answeringKilled(lab: ClaudeLab): Promise<void> {
  const life = await lab.start();
  await life.ready();
  const trace = life.trace('native');
  lab.gate.hold(trace.mark);
  await life.wakeAs(trace, 'never');
  await lab.gate.arrived(trace.mark);
  lab.note('sent', trace, await life.finds(trace, 'landed'));
  await life.end('kill');
  lab.gate.release();
  const next = await lab.start();
  await next.ready();
  const dead: AttemptTrace = { ...trace, isAlive: false, isSubmitted: true };
  lab.note('killed and resumed', dead, await next.judge(dead));
  const after = await next.wake('after');
  lab.note('the next one', after, await next.finds(after, 'seen'));
  lab.note('rides with it', dead, await next.finds(dead, 'seen'));
}

async function clear(lab: ClaudeLab): Promise<void> {
  const life = await lab.start();
  await life.ready();
  const first = await life.wake('one');
  await life.finds(first, 'seen');
  await ends(lab, life, ['completed']);
  const old = life.conversation;
  await life.terminal.settled(500);
  await life.terminal.prompt('/clear');
  await until('another conversation', () => life.conversation !== old);
  const second = await life.wake('two');
  lab.note('after /clear', second, await life.finds(second, 'seen'));
  lab.note('before it', first, await life.judge(first));
}

/**
 * Rules 6 and 7: a mark in the model's words, a tool's output or a person's prompt is no delivery.
 */
async function quoted(lab: ClaudeLab): Promise<void> {
  const life = await lab.start();
  await life.ready();
  const trace = { ...life.trace('native'), mark: 'mark_01quoted_secret' };
  await life.terminal.prompt(
    "@@tool echo '<signalbox mark_01quoted_secret>' @@say I have read <signalbox mark_01quoted_secret>",
  );
  await ends(lab, life, ['completed']);
  await life.terminal.settled(500);
  lab.note('quoted', trace, await life.finds(trace, 'none'));
  const next = await life.wake('next');
  lab.note('the next one', next, await life.finds(next, 'seen'));
  lab.note('quoted, later', trace, await life.judge(trace));
}

/** A person goes back to before it. */
async function rewound(lab: ClaudeLab): Promise<void> {
  const life = await lab.start();
  await life.ready();
  await life.terminal.prompt('@@say base');
  await ends(lab, life, ['completed']);
  const trace = life.trace('native');
  lab.gate.refuse(trace.mark, 500);
  await life.wakeAs(trace, 'never');
  await ends(lab, life, ['completed', 'failed']);
  lab.note('failed', trace, await life.finds(trace, 'landed'));
  lab.gate.refuse(undefined);
  await life.terminal.settled(500);
  await life.terminal.keys('Escape');
  await life.terminal.settled(300);
  await life.terminal.keys('Escape');
  await life.terminal.waitFor('the menu', ({ text }) => /Restore the code/.test(text));
  await life.terminal.keys('Up');
  await life.terminal.settled(500);
  await life.terminal.keys('Enter');
  await life.terminal.settled(500);
  await life.terminal.keys('Enter');
  await life.terminal.waitFor('the old prompt', ({ text }) => /^❯ @@say base/m.test(text));
  await life.terminal.settled(500);
  await life.terminal.keys('Enter');
  await ends(lab, life, ['completed', 'failed', 'completed']);
  await delay(1000);
  lab.note('passed by', trace, await life.finds(trace, 'unknown'));
}

async function two(lab: ClaudeLab): Promise<void> {
  const life = await lab.start();
  await life.ready();
  lab.gate.hold('@@say base');
  await life.terminal.prompt('@@say base');
  await lab.gate.arrived('@@say base');
  const first = await life.wake('one');
  await life.finds(first, 'held');
  const second = life.reply('turn-boundary', '@@say two');
  lab.gate.release();
  lab.note('by the waiting hook', first, await life.finds(first, 'seen'));
  lab.note('at the stop', second, await life.finds(second, 'seen'));
  await life.terminal.settled(1000);
  lab.notes.push(`turn ends: ${life.turnEnds.map(({ outcome }) => outcome).join(', ')}`);
}
