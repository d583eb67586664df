import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { AttemptTrace } from '../../../src/providers/way-in.ts';
import { harderCases } from './claude-code-harder-cases.ts';
import { type ClaudeLab, type EvidenceCase, ends } from './claude-code-lab.ts';
import { type ClaudeLife, until } from './claude-code-life.ts';
import { promptCases } from './claude-code-prompt-cases.ts';

export const cases: readonly EvidenceCase[] = [
  { name: 'idle', run: idle },
  { name: 'busy-text', run: busyText },
  { name: 'busy-tool', wish: { approvals: 'allow-shell' }, run: busyTool },
  { name: 'dialog-yes', run: (lab) => dialog(lab, 'Enter') },
  { name: 'dialog-escape', run: (lab) => dialog(lab, 'Escape') },
  { name: 'busy-escape', run: busyEscape },
  { name: 'escape', run: sentEscape },
  { name: 'boundary', run: boundary },
  { name: 'boundary-escape', run: boundaryEscape },
  { name: 'boundary-500', run: boundaryFailed },
  { name: 'boundary-killed', run: boundaryKilled },
  { name: 'mid-turn', wish: { approvals: 'allow-shell' }, run: midTurn },
  { name: 'failed-401', run: (lab) => failed(lab, 401) },
  { name: 'failed-500', run: (lab) => failed(lab, 500) },
  ...harderCases,
  ...promptCases,
];

async function idle(lab: ClaudeLab): Promise<void> {
  const life = await lab.start();
  await life.ready();
  const first = await life.wake('first words');
  lab.note('first words', first, await life.finds(first, 'seen'));
  await ends(lab, life, ['completed']);
  const second = await life.wake('second');
  lab.note('second', second, await life.finds(second, 'seen'));
  await ends(lab, life, ['completed', 'completed']);
  life.attach();
  lab.note('read from the beginning', first, await life.judge(first));
}

async function busyText(lab: ClaudeLab): Promise<void> {
  const life = await lab.start();
  await life.ready();
  lab.gate.hold('@@say base');
  await life.terminal.prompt('@@say base');
  await lab.gate.arrived('@@say base');
  const trace = await life.wake('next');
  lab.note('while busy', trace, await life.finds(trace, 'held'));
  lab.gate.release();
  lab.note('after it', trace, await life.finds(trace, 'seen'));
  await ends(lab, life, ['completed', 'completed']);
}

async function busyTool(lab: ClaudeLab): Promise<void> {
  const life = await lab.start();
  await life.ready();
  await inTool(lab, life);
  const trace = await life.wake('next');
  lab.note('in a tool', trace, await life.finds(trace, 'held'));
  writeFileSync(join(lab.home.cwd, 'go'), '');
  lab.note('after it', trace, await life.finds(trace, 'seen'));
  await ends(lab, life, ['completed']);
}

async function dialog(lab: ClaudeLab, key: string): Promise<void> {
  const life = await lab.start();
  await life.ready();
  await life.terminal.prompt('@@tool touch allowed @@say base');
  await life.terminal.waitFor('the dialog', ({ text }) => /Do you want to proceed/.test(text));
  const trace = await life.wake('next');
  lab.note('in a dialog', trace, await life.finds(trace, 'held'));
  // It blinks, and takes no key in its first moments.
  await delay(1500);
  const { text } = await life.terminal.capture();
  if (!/Do you want to proceed/.test(text)) throw new Error(`The dialog is gone:\n${text}`);
  if (existsSync(join(lab.home.cwd, 'allowed'))) throw new Error('It was answered.');
  await life.terminal.keys(key);
  lab.note(`after ${key}`, trace, await life.finds(trace, 'seen'));
  await ends(lab, life, ['completed']);
}

async function busyEscape(lab: ClaudeLab): Promise<void> {
  const life = await lab.start();
  await life.ready();
  lab.gate.hold('@@say never');
  await life.terminal.prompt('@@say never');
  await lab.gate.arrived('@@say never');
  const trace = await life.wake('next');
  lab.note('while busy', trace, await life.finds(trace, 'held'));
  await life.terminal.keys('Escape');
  await lab.gate.arrived(trace.mark);
  lab.gate.release();
  lab.note('after Escape', trace, await life.finds(trace, 'seen'));
  await ends(lab, life, ['completed']);
}

/** The request is sent, and a person interrupts before any output. */
async function sentEscape(lab: ClaudeLab): Promise<void> {
  const life = await lab.start();
  await life.ready();
  const base = await life.wake('base');
  await life.finds(base, 'seen');
  await ends(lab, life, ['completed']);
  const trace = life.trace('native');
  lab.gate.hold(trace.mark);
  await life.wakeAs(trace, 'never');
  await lab.gate.arrived(trace.mark);
  lab.note('sent', trace, await life.finds(trace, 'landed'));
  await life.terminal.keys('Escape');
  await life.terminal.settled(1500);
  lab.gate.release();
  lab.note('interrupted', trace, await life.judge(trace));
  const next = await life.wake('next');
  lab.note('the next one', next, await life.finds(next, 'seen'));
  lab.note('rides with it', trace, await life.finds(trace, 'seen'));
}

async function boundary(lab: ClaudeLab): Promise<void> {
  const life = await lab.start();
  await life.ready();
  const trace = life.reply('turn-boundary', '@@say next');
  await life.terminal.prompt('@@say base');
  lab.note('at the stop', trace, await life.finds(trace, 'seen'));
  await ends(lab, life, ['completed', 'completed']);
  const [first, second] = life.turnEnds;
  if (first?.id !== second?.id) throw new Error('Another turn.');
}

async function boundaryEscape(lab: ClaudeLab): Promise<void> {
  const life = await lab.start();
  await life.ready();
  const trace = life.reply('turn-boundary', '@@say never');
  lab.gate.hold(trace.mark);
  await life.terminal.prompt('@@say base');
  await lab.gate.arrived(trace.mark);
  lab.note('sent', trace, await life.finds(trace, 'landed'));
  await life.terminal.keys('Escape');
  await life.terminal.settled(1500);
  lab.gate.release();
  lab.note('interrupted', trace, await life.judge(trace));
  await life.terminal.prompt('@@say after');
  await ends(lab, life, ['completed', 'completed']);
  lab.note('after the next prompt', trace, await life.finds(trace, 'seen'));
}

async function boundaryFailed(lab: ClaudeLab): Promise<void> {
  const life = await lab.start();
  await life.ready();
  const trace = life.reply('turn-boundary', '@@say never');
  lab.gate.refuse(trace.mark, 500);
  await life.terminal.prompt('@@say base');
  await ends(lab, life, ['completed', 'failed']);
  lab.note('failed', trace, await life.finds(trace, 'landed'));
  lab.gate.refuse(undefined);
  const next = await life.wake('next');
  lab.note('the next one', next, await life.finds(next, 'seen'));
  lab.note('rides with it', trace, await life.finds(trace, 'seen'));
}

/**
 * In the window between the reply and its record: the request is held, and the process killed at
 * once.
 */
async function boundaryKilled(lab: ClaudeLab): Promise<void> {
  const life = await lab.start();
  await life.ready();
  const trace = life.reply('turn-boundary', '@@say never');
  lab.gate.hold(trace.mark);
  await life.terminal.prompt('@@say base');
  await lab.gate.arrived(trace.mark);
  await life.end('kill');
  lab.gate.release();
  const next = await lab.start();
  await next.ready();
  const dead: AttemptTrace = { ...trace, isAlive: false };
  lab.note('killed right after the request', dead, await next.judge(dead));
}

async function midTurn(lab: ClaudeLab): Promise<void> {
  const life = await lab.start();
  await life.ready();
  const trace = life.reply('mid-turn', 'urgent');
  await life.terminal.prompt('@@tool echo one @@say base');
  lab.note('with the result', trace, await life.finds(trace, 'seen'));
  await ends(lab, life, ['completed']);
}

async function failed(lab: ClaudeLab, status: number): Promise<void> {
  const life = await lab.start();
  await life.ready();
  const bad = life.trace('native');
  lab.gate.refuse(bad.mark, status);
  await life.wakeAs(bad, 'never');
  await ends(lab, life, ['failed']);
  lab.note('failed', bad, await life.finds(bad, 'landed'));
  lab.gate.refuse(undefined);
  const next = await life.wake('next');
  lab.note('the next one', next, await life.finds(next, 'seen'));
  lab.note('rides with it', bad, await life.finds(bad, 'seen'));
}

async function inTool(lab: ClaudeLab, life: ClaudeLife): Promise<void> {
  await life.terminal.prompt('@@tool touch begun; until [ -e go ]; do sleep 0.1; done @@say base');
  await until('the tool', () => existsSync(join(lab.home.cwd, 'begun')));
}
