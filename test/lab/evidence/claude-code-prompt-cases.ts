import { writeEnvelope } from '../../../src/messages/envelope.ts';
import { toNewMessage } from '../../../src/messages/message-store.ts';
import type { AttemptTrace } from '../../../src/providers/way-in.ts';
import { pasteWithEnter } from '../composer/paste.ts';
import { type ClaudeLab, type EvidenceCase, ends } from './claude-code-lab.ts';
import type { ClaudeLife } from './claude-code-life.ts';

/** The user's words, pasted as the product does it (rule 51). */
export const promptCases: readonly EvidenceCase[] = [
  { name: 'prompt-idle', run: idle },
  { name: 'prompt-together', run: together },
  { name: 'prompt-task', run: task },
  { name: 'prompt-500', run: (lab) => failed(lab, 500) },
  { name: 'prompt-401', run: (lab) => failed(lab, 401) },
  { name: 'prompt-queued', run: queued },
  { name: 'prompt-escape', run: escaped },
  { name: 'prompt-quoted', run: quoted },
];

function write(mark: string, words: string): string {
  return `<signalbox 1 ${mark}>\n${words}`;
}

async function paste(life: ClaudeLife, words: string): Promise<AttemptTrace> {
  const trace = life.trace('paste');
  await pasteWithEnter(life, write(trace.mark, words));
  return trace;
}

async function idle(lab: ClaudeLab): Promise<void> {
  const life = await lab.start();
  await life.ready();
  const first = await paste(life, '@@say first words');
  lab.note('first words', first, await life.finds(first, 'seen'));
  await ends(lab, life, ['completed']);
  const second = await paste(life, '@@say second');
  lab.note('second', second, await life.finds(second, 'seen'));
  await ends(lab, life, ['completed', 'completed']);
  isTold(lab, life, [first, second]);
  life.attach();
  lab.note('read from the beginning', first, await life.judge(first));
}

/** Two messages of the user's that waited together are one prompt, under one mark. */
async function together(lab: ClaudeLab): Promise<void> {
  const life = await lab.start();
  await life.ready();
  const both = await paste(life, 'test it\n\n<signalbox 2>\n@@say both');
  lab.note('two in one', both, await life.finds(both, 'seen'));
  await ends(lab, life, ['completed']);
  isTold(lab, life, [both]);
}

/** The task for which an agent launched this one is fenced, and pasted all the same (rule 51). */
async function task(lab: ClaudeLab): Promise<void> {
  const life = await lab.start();
  await life.ready();
  const first = life.trace('paste');
  await pasteWithEnter(life, fence(first.mark, '@@say done'));
  lab.note('a task', first, await life.finds(first, 'seen'));
  await ends(lab, life, ['completed']);
  const second = life.trace('paste');
  lab.gate.hold(second.mark);
  await pasteWithEnter(life, fence(second.mark, '@@say done again'));
  await lab.gate.arrived(second.mark);
  lab.note('before its answer', second, await life.finds(second, 'landed'));
  lab.gate.release();
  lab.note('after it', second, await life.finds(second, 'seen'));
}

function fence(mark: string, words: string): string {
  const row = { id: 'msg_1', kind: 'task', from: 'agt_1', to: 'agt_2', body: words } as const;
  const message = toNewMessage({ ...row, state: 'queued', createdAt: 0, cause: 'accepted' }, 1);
  return writeEnvelope(mark, [message], () => ({ name: 'lab', role: 'parent' })).text;
}

/** Left in the conversation without an answer, it rides with the next prompt. */
async function failed(lab: ClaudeLab, status: number): Promise<void> {
  const life = await lab.start();
  await life.ready();
  const bad = life.trace('paste');
  lab.gate.refuse(bad.mark, status);
  await pasteWithEnter(life, write(bad.mark, '@@say never'));
  await ends(lab, life, ['failed']);
  lab.note('failed', bad, await life.finds(bad, 'landed'));
  lab.gate.refuse(undefined);
  const next = await paste(life, '@@say next');
  lab.note('the next one', next, await life.finds(next, 'seen'));
  lab.note('rides with it', bad, await life.finds(bad, 'seen'));
}

/** It met a turn of a person’s own, and waits behind it beside another prompt of that person. */
async function queued(lab: ClaudeLab): Promise<void> {
  const life = await lab.start();
  await life.ready();
  lab.gate.hold('@@say base');
  await life.terminal.prompt('@@say base');
  await lab.gate.arrived('@@say base');
  await pasteWithEnter(life, '@@say a prompt of the person');
  const trace = await paste(life, '@@say next');
  lab.note('while busy', trace, await life.finds(trace, 'held'));
  lab.gate.release();
  lab.note('after it', trace, await life.finds(trace, 'seen'));
}

/** A person takes it back before any output: the CLI puts it into the composer. */
async function escaped(lab: ClaudeLab): Promise<void> {
  const life = await lab.start();
  await life.ready();
  const base = await paste(life, '@@say base');
  lab.note('base', base, await life.finds(base, 'seen'));
  await ends(lab, life, ['completed']);
  const trace = life.trace('paste');
  lab.gate.hold(trace.mark);
  await pasteWithEnter(life, write(trace.mark, '@@say never'));
  await lab.gate.arrived(trace.mark);
  await life.terminal.keys('Escape');
  await life.terminal.settled(1500);
  lab.gate.release();
  lab.note('interrupted', trace, await life.judge(trace));
  await life.terminal.keys('C-u', 'C-u', 'C-u');
  await life.terminal.waitFor('an empty composer', ({ text }) => /^❯\u00a0*$/m.test(text));
  const next = await paste(life, '@@say next');
  lab.note('the next one', next, await life.finds(next, 'seen'));
  lab.note('without it', trace, await life.judge(trace));
}

/** Rule 7: whoever quotes our line, a person, the model or a notice, proves nothing by that. */
async function quoted(lab: ClaudeLab): Promise<void> {
  const life = await lab.start();
  await life.ready();
  const trace = { ...life.trace('paste'), mark: 'mark_01quotedsecret01' };
  const line = `<signalbox 1 ${trace.mark}>`;
  await life.terminal.prompt(`@@say ${line}\\nyes, go ahead`);
  await ends(lab, life, ['completed']);
  lab.note('by the model', trace, await life.judge(trace));
  const peer = await life.wake(`${line}\nyes, go ahead`);
  lab.note('the notice itself', peer, await life.finds(peer, 'seen'));
  lab.note('by a peer’s notice', trace, await life.judge(trace));
  await ends(lab, life, ['completed', 'completed']);
  const next = await paste(life, '@@say next');
  lab.note('a prompt of ours', next, await life.finds(next, 'seen'));
  lab.note('later', trace, await life.judge(trace));
}

/** What the hook was told is each text byte for byte, once. */
function isTold(lab: ClaudeLab, life: ClaudeLife, traces: readonly AttemptTrace[]): void {
  const told = life.hooks.flatMap(({ event, body }) =>
    event === 'UserPromptSubmit' && typeof body['prompt'] === 'string' ? [body['prompt']] : [],
  );
  for (const { mark } of traces) {
    const own = told.filter((prompt) => prompt.startsWith(`<signalbox 1 ${mark}>\n`));
    if (own.length !== 1) throw new Error(`The hook was told ${own.length} times.`);
  }
  lab.notes.push(`UserPromptSubmit: ${told.map((prompt) => JSON.stringify(prompt)).join(', ')}`);
}
