import { readReceipt } from '../../../src/providers/codex/native.ts';
import type { AttemptTrace } from '../../../src/providers/way-in.ts';
import type { CodexLab, EvidenceCase } from './codex-lab.ts';
import { until } from './codex-life.ts';
import { ask, describeEnds, ends } from './codex-steps.ts';

/** What fails, dies or is taken away. */
export const faults: readonly EvidenceCase[] = [
  { name: 'failed-401', run: (lab) => failed(lab, 401) },
  { name: 'failed-500', run: (lab) => failed(lab, 500) },
  { name: 'held-killed', run: heldKilled },
  { name: 'sent-killed', run: sentKilled },
  { name: 'deleted', run: deleted },
  { name: 'server-restart', run: serverRestart },
  { name: 'daemon-restart', run: daemonRestart },
  { name: 'plain', run: plain },
];

async function failed(lab: CodexLab, status: number): Promise<void> {
  const life = await lab.start();
  await life.ready();
  const bad = await life.inject(`@@fail ${status}`);
  await ends(lab, life, ['failed:']);
  lab.note('failed', bad.trace, await life.finds(bad.trace, 'landed'));
  const next = await life.inject('@@say next');
  lab.note('the next one', next.trace, await life.finds(next.trace, 'seen'));
  lab.note('rides with it', bad.trace, await life.finds(bad.trace, 'seen'));
  await ends(lab, life, ['failed:', 'completed:next']);
}

/**
 * Killed with everything while a message waits in its queue: the next life delivers it by itself.
 */
async function heldKilled(lab: CodexLab): Promise<void> {
  const life = await lab.start();
  await life.ready();
  const base = await life.inject('@@say base');
  await life.finds(base.trace, 'seen');
  lab.gate.hold('@@say busy');
  await ask(life, '@@say busy');
  await lab.gate.arrived('@@say busy');
  const { trace } = await life.inject('@@say next');
  lab.note('while busy', trace, await life.finds(trace, 'held'));
  await life.end('kill');
  const next = await lab.start();
  await next.ready();
  lab.gate.release();
  const dead: AttemptTrace = { ...trace, isAlive: false };
  const first = await next.judge(dead);
  lab.note('right after the resume', dead, first);
  lab.note('later', dead, await next.finds(dead, 'seen', 60_000));
}

async function sentKilled(lab: CodexLab): Promise<void> {
  const life = await lab.start();
  await life.ready();
  const base = await life.inject('@@say base');
  await life.finds(base.trace, 'seen');
  await ends(lab, life, ['completed:base']);
  lab.gate.hold('@@say never');
  const { trace, mark } = await life.inject('@@say never');
  await lab.gate.arrived(mark);
  await life.end('kill');
  lab.gate.release();
  const next = await lab.start();
  await next.ready();
  const dead: AttemptTrace = { ...trace, isAlive: false };
  lab.note('killed after the request', dead, await next.finds(dead, 'landed'));
  const after = await next.inject('@@say next');
  lab.note('the next one', after.trace, await next.finds(after.trace, 'seen'));
  lab.note('rides with it', dead, await next.finds(dead, 'seen'));
  lab.notes.push(`turn ends told by the second life: ${describeEnds(next)}`);
}

/** Another client takes it out of the queue: only then, and at rest, it is proven absent. */
async function deleted(lab: CodexLab): Promise<void> {
  const life = await lab.start();
  await life.ready();
  lab.gate.hold('@@say busy');
  await ask(life, '@@say busy');
  await lab.gate.arrived('@@say busy');
  const { trace } = await life.inject('@@say next');
  lab.note('while busy', trace, await life.finds(trace, 'held'));
  const { thread: threadId, submission: queuedSubmissionId } = readReceipt(trace.receipt) ?? {};
  await life.request('thread/queue/delete', { threadId, queuedSubmissionId });
  lab.note('taken out', trace, await life.finds(trace, 'none'));
  lab.gate.release();
  lab.note('at rest', trace, await life.finds(trace, 'absent'));
}

/** The server alone dies, with a turn under way and a message in its queue, and comes back. */
async function serverRestart(lab: CodexLab): Promise<void> {
  const life = await lab.start();
  await life.ready();
  const base = await life.inject('@@say base');
  await life.finds(base.trace, 'seen');
  lab.gate.hold('@@say busy');
  await ask(life, '@@say busy');
  await lab.gate.arrived('@@say busy');
  const { trace } = await life.inject('@@say next');
  lab.note('while busy', trace, await life.finds(trace, 'held'));
  life.killServer();
  await until('the loss', () => life.native.blocked() !== undefined);
  lab.notes.push(`blocked: ${life.native.blocked()}`);
  lab.note('without a server', trace, await life.judge(trace));
  lab.gate.release();
  await life.restartServer();
  await until('the way in', () => life.native.blocked() === undefined, 60_000);
  lab.note('back', trace, await life.finds(trace, 'seen', 60_000));
  await ends(lab, life, ['completed:base', 'interrupted:', 'completed:next']);
}

/** A turn that ended while no daemon was there is told by the next one. */
async function daemonRestart(lab: CodexLab): Promise<void> {
  const life = await lab.start();
  await life.ready();
  const first = await life.inject('@@say one');
  await life.finds(first.trace, 'seen');
  await ends(lab, life, ['completed:one']);
  lab.gate.hold('@@say two');
  const second = await life.inject('@@say two');
  await lab.gate.arrived(second.mark);
  life.detach();
  life.states.length = 0;
  lab.gate.release();
  await life.terminal.waitFor('the answer', ({ text }) => /^• two/m.test(text));
  life.attach();
  lab.note('after a restart', second.trace, await life.finds(second.trace, 'seen'));
  await ends(lab, life, ['completed:one', 'completed:two']);
}

async function plain(lab: CodexLab): Promise<void> {
  const life = await lab.start(['-C', '.']);
  await life.terminal.waitFor('the composer', ({ text }) => /^› Ask Codex/m.test(text));
  lab.notes.push(`blocked: ${life.native.blocked()}`);
  const { injected, trace } = await life.inject('@@say never');
  lab.notes.push(`inject: ${injected.outcome}`);
  lab.note('plain', trace, await life.judge(trace));
}
