import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CodexLab, EvidenceCase } from './codex-lab.ts';
import { type CodexLife, until } from './codex-life.ts';
import { ask, ends, traceOf } from './codex-steps.ts';

/** Ways in, and what must not be taken for one. */
export const cases: readonly EvidenceCase[] = [
  { name: 'idle', run: idle },
  { name: 'busy-text', run: busyText },
  { name: 'busy-tool', wish: { approvals: 'allow-shell' }, run: busyTool },
  { name: 'dialog', run: dialog },
  { name: 'escape', run: pressEscape },
  { name: 'clear', run: clear },
  { name: 'rewind', run: rewind },
  { name: 'quoted', wish: { approvals: 'allow-shell' }, run: quoted },
  { name: 'sub-agent', wish: { approvals: 'allow-shell' }, run: subAgent },
];

async function idle(lab: CodexLab): Promise<void> {
  const life = await lab.start();
  await life.ready();
  const first = await life.inject('@@say one');
  lab.note('first words', first.trace, await life.finds(first.trace, 'seen'));
  const second = await life.inject('@@say two');
  lab.note('second', second.trace, await life.finds(second.trace, 'seen'));
  await ends(lab, life, ['completed:one', 'completed:two']);
}

async function busyText(lab: CodexLab): Promise<void> {
  const life = await lab.start();
  await life.ready();
  lab.gate.hold('@@say base');
  await ask(life, '@@say base');
  await lab.gate.arrived('@@say base');
  const { trace } = await life.inject('@@say next');
  lab.note('while busy', trace, await life.finds(trace, 'held'));
  lab.gate.release();
  lab.note('after it', trace, await life.finds(trace, 'seen'));
  await ends(lab, life, ['completed:base', 'completed:next']);
}

async function busyTool(lab: CodexLab): Promise<void> {
  const life = await lab.start();
  await life.ready();
  await ask(life, '@@tool touch begun; until [ -e go ]; do sleep 0.1; done @@say base');
  await until('the tool', () => existsSync(join(lab.home.cwd, 'begun')));
  const { trace } = await life.inject('@@say next');
  lab.note('in a tool', trace, await life.finds(trace, 'held'));
  writeFileSync(join(lab.home.cwd, 'go'), '');
  lab.note('after it', trace, await life.finds(trace, 'seen'));
  await ends(lab, life, ['completed:base', 'completed:next']);
}

/** Also: whether we are there, leave or come back means nothing to the dialog. */
async function dialog(lab: CodexLab): Promise<void> {
  const life = await lab.start();
  await life.ready();
  await ask(life, '@@tool touch allowed @@say base');
  await life.terminal.waitFor('the dialog', ({ text }) => /Would you like to run/.test(text));
  const { trace } = await life.inject('@@say next');
  lab.note('in a dialog', trace, await life.finds(trace, 'held'));
  life.detach();
  life.states.length = 0;
  life.attach();
  await until('the way in', () => life.native.blocked() === undefined);
  await until('the dialog', () => life.states.at(-1)?.report?.status === 'waiting');
  lab.note('after a reconnection', trace, await life.finds(trace, 'held'));
  const { text } = await life.terminal.capture();
  if (!/Would you like to run/.test(text)) throw new Error(`The dialog is gone:\n${text}`);
  if (existsSync(join(lab.home.cwd, 'allowed'))) throw new Error('It was answered.');
  await life.terminal.keys('Enter');
  await until('the file', () => existsSync(join(lab.home.cwd, 'allowed')));
  lab.note('after the answer', trace, await life.finds(trace, 'seen'));
  await ends(lab, life, ['completed:base', 'completed:next']);
}

async function pressEscape(lab: CodexLab): Promise<void> {
  const life = await lab.start();
  await life.ready();
  const base = await life.inject('@@say base');
  await life.finds(base.trace, 'seen');
  await ends(lab, life, ['completed:base']);
  lab.gate.hold('@@say never');
  const broken = await life.inject('@@say never');
  await lab.gate.arrived(broken.mark);
  lab.note('sent', broken.trace, await life.finds(broken.trace, 'landed'));
  await life.terminal.keys('Escape');
  await ends(lab, life, ['completed:base', 'interrupted:']);
  lab.gate.release();
  lab.note('interrupted', broken.trace, await life.finds(broken.trace, 'landed'));
  const next = await life.inject('@@say next');
  await life.terminal.settled(1500);
  lab.note('queue paused', next.trace, await life.finds(next.trace, 'held'));
  await life.native.release?.();
  lab.note('released', next.trace, await life.finds(next.trace, 'seen'));
  lab.note('rides with the next', broken.trace, await life.finds(broken.trace, 'seen'));
  await ends(lab, life, ['completed:base', 'interrupted:', 'completed:next']);
}

async function clear(lab: CodexLab): Promise<void> {
  const life = await lab.start();
  await life.ready();
  const first = await life.inject('@@say one');
  await life.finds(first.trace, 'seen');
  const old = life.conversation;
  await life.terminal.settled(500);
  await ask(life, '/new');
  await until('another conversation', () => life.conversation !== old);
  await life.terminal.settled(500);
  const second = await life.inject('@@say two');
  lab.note('after /new', second.trace, await life.finds(second.trace, 'seen'));
  lab.note('before /new', first.trace, await life.finds(first.trace, 'seen'));
  await ends(lab, life, ['completed:one', 'completed:two']);
}

/**
 * A person goes back behind a message that was read, and behind one that was not: another file is
 * written from then on.
 */
async function rewind(lab: CodexLab): Promise<void> {
  const life = await lab.start();
  await life.ready();
  const kept = await life.inject('@@say kept');
  await life.finds(kept.trace, 'seen');
  const read = await life.inject('@@say read');
  await life.finds(read.trace, 'seen');
  await ends(lab, life, ['completed:kept', 'completed:read']);
  await goBack(life);
  lab.note('read, then taken back', read.trace, await life.finds(read.trace, 'seen'));
  await clearComposer(life);
  lab.gate.hold('@@say never');
  const broken = await life.inject('@@say never');
  await lab.gate.arrived(broken.mark);
  await life.terminal.keys('Escape');
  await ends(lab, life, ['completed:kept', 'completed:read', 'interrupted:']);
  lab.gate.release();
  lab.note('interrupted', broken.trace, await life.finds(broken.trace, 'landed'));
  await goBack(life);
  lab.note('and taken back', broken.trace, await life.finds(broken.trace, 'removed'));
  await clearComposer(life);
  const next = await life.inject('@@say next');
  await life.native.release?.();
  lab.note('the next one', next.trace, await life.finds(next.trace, 'seen'));
  lab.note('after that', broken.trace, await life.finds(broken.trace, 'removed'));
  await ends(lab, life, ['completed:kept', 'completed:read', 'interrupted:', 'completed:next']);
}

async function goBack(life: CodexLife): Promise<void> {
  await life.terminal.settled(500);
  await life.terminal.keys('Escape');
  await life.terminal.settled(300);
  await life.terminal.keys('Escape');
  await life.terminal.waitFor('the transcript', ({ text }) => /↵ rewind/.test(text));
  const before = await life.terminal.scrollback();
  const count = (text: string): number => text.split('Conversation reverted').length;
  await life.terminal.keys('Enter');
  await until('the way back', async () => count(await life.terminal.scrollback()) > count(before));
}

/** What was taken back stands in the composer now. */
async function clearComposer(life: CodexLife): Promise<void> {
  await life.terminal.settled(300);
  await life.terminal.keys('C-c');
  await life.terminal.waitFor('an empty composer', ({ text }) => /› Ask Codex/.test(text));
}

/** Rules 6 and 7: a mark in the model's words or in a tool's output is no delivery. */
async function quoted(lab: CodexLab): Promise<void> {
  const life = await lab.start();
  await life.ready();
  const mark = 'mark_01quoted_secret';
  await ask(life, `@@tool echo mark_01quoted_sec''ret @@say I have read mark_01quoted_sec''ret`);
  await ends(lab, life, ["completed:I have read mark_01quoted_sec''ret"]);
  const trace = traceOf(mark, life);
  lab.note('quoted by tool', trace, await life.finds(trace, 'absent'));
}

/** Rule 38: neither what a sub-agent is told, nor what it answers, is a word to the agent. */
async function subAgent(lab: CodexLab): Promise<void> {
  const life = await lab.start();
  await life.ready();
  // Written so that the prompt itself holds neither the script nor the mark.
  const order = '{"message":"\\u0040@say I have read mark_01sub\\u005fsecret"}';
  const wait = 'until [ -e go ]; do sleep 0.1; done';
  await ask(life, `@@mcp multi_agent_v1 spawn_agent ${order} @@tool ${wait} @@say main`);
  await lab.gate.arrived('@say I have read mark_01sub_secret');
  await lab.mock.waitFor(({ lastUserText, outcome }) =>
    Boolean(outcome && lastUserText.startsWith('@@say I have read')),
  );
  writeFileSync(join(lab.home.cwd, 'go'), '');
  await until('the end', () => life.turnEnds.length === 1);
  const trace = traceOf('mark_01sub_secret', life);
  lab.note('told to and by a sub-agent', trace, await life.finds(trace, 'absent'));
  lab.notes.push(`turn ends: ${life.turnEnds.length}`);
}
