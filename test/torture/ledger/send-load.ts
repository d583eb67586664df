import { setTimeout as delay } from 'node:timers/promises';
import type { SendResult } from '../../../src/protocol/messages.ts';
import { systemClock } from '../../../src/shared/clock.ts';
import type { Ending } from '../children.ts';
import { composeBody } from './body.ts';
import type { Answer, Fate } from './observer.ts';
import type { Order } from './orders.ts';
import type { End, Run } from './run.ts';

/** Orders a worker holds at once: the one in hand, and enough that it never waits for us. */
const ahead = 3;

/** The life of one worker that sends, whatever ends it. Its unanswered orders go back. */
export async function runSender(run: Run): Promise<void> {
  const role = 'sender (worker)';
  const end = run.chooseEnd('send', role, { window: 0.15, kill: 0 });
  const held: { order: Order; fedAtMs: number }[] = [];
  const onLine = (line: string): void => {
    const { key, ...answer } = JSON.parse(line) as Answer & { key: string };
    const first = held.shift();
    if (first?.order.key !== key) run.observer.complain(`a sender answered ${key} out of turn`);
    else settle(run, first.order, answer);
    feed();
  };
  const child = run.startWorker('sender', [], { role, onLine }, end);
  const feed = (): void => {
    if (run.signal.aborted) child.kill();
    while (held.length < ahead) {
      const order = take(run);
      if (!order) break;
      held.push({ order, fedAtMs: systemClock.monotonicMs() });
      child.write(JSON.stringify(order));
    }
    if (held.length === 0 && run.orders.areAllAnswered) child.closeInput();
  };
  feed();
  const timer = setInterval(feed, 20);
  if (end.by === 'itself' && run.isLoaded) child.killAfter(run.random.between(300, 10_000));
  const ending = await child.ended;
  clearInterval(timer);
  run.noteHit(end, ending, 'worker');
  held.forEach(({ order, fedAtMs }, i) => {
    // It works on one at a time: what stands behind the first was never begun.
    if (i === 0) run.observer.noteDeath(order, fedAtMs, judge(end, ending));
    run.orders.giveBack(order);
  });
  if (ending.how === 'ended' && ending.code !== 0)
    run.observer.complain(`a sender ended with ${ending.code}: ${ending.stderr}`);
}

/** One `signalbox send`, as a process of its own. */
export async function sendOnce(run: Run): Promise<void> {
  const order = take(run);
  if (!order) return run.pause(10, 40);
  const end = run.chooseEnd('send', 'send', { window: 0.35, kill: 0.4 });
  const ending = await startSend(run, order, end);
  run.noteHit(end, ending, 'cli');
  if (ending.how !== 'ended') {
    run.observer.noteDeath(order, ending.startedAtMs, judge(end, ending));
    run.orders.giveBack(order);
  } else settle(run, order, readAnswer(run, order, ending));
}

/** Whoever has been removed is no recipient: exit 3, and nothing is sent. */
export async function sendToRemoved(run: Run, name: string): Promise<void> {
  const order = run.orders.makeRefusable(name);
  run.observer.noteOrder(order);
  const ending = await startSend(run, order, { by: 'itself' });
  if (ending.code !== 3)
    run.observer.complain(`a send to ${name}, who was removed, ended with ${ending.code}`);
  run.observer.noteAnswer(order, readAnswer(run, order, ending));
}

/** In the quiet: what is still open is repeated until it is answered. */
export async function answerAll(run: Run): Promise<void> {
  while (!run.orders.areAllAnswered && !run.signal.aborted) {
    await sendOnce(run);
    await delay(1);
  }
}

function startSend(run: Run, order: Order, end: End): Promise<Ending> {
  const { key, from, to, ttlMs, urgent, replyTo } = order;
  const body = composeBody(order);
  // Both ways in which a person names the sender, and both in which a text is given.
  const asAgent = from !== 'user' && run.random.chance(0.5);
  const asArgument = body.length < 400 && !body.includes('\u0000');
  const args = [
    'send',
    to,
    ...(asArgument ? [] : ['--file', '-']),
    ...['--key', key],
    ...(asAgent ? [] : ['--from', from]),
    ...(ttlMs === undefined ? [] : ['--ttl', `${ttlMs}ms`]),
    ...(urgent ? ['--urgent'] : []),
    ...(replyTo === undefined ? [] : ['--reply-to', replyTo]),
    '--json',
    ...(asArgument ? ['--', body] : []),
  ];
  const env = asAgent ? { SIGNALBOX_AGENT: from } : {};
  const input = asArgument ? '' : body;
  return run.runCli(args, { role: 'send', env, input }, end);
}

function take(run: Run): Order | undefined {
  const order = run.orders.take();
  if (order) run.observer.noteOrder(order);
  return order;
}

function settle(run: Run, order: Order, answer: Answer): void {
  run.observer.noteAnswer(order, answer);
  run.orders.close();
}

function judge(end: End, { how }: Ending): Fate {
  if (how !== 'hit' || end.by !== 'window') return 'unknown';
  return end.window.place === 'send.committed' ? 'committed' : 'uncommitted';
}

function readAnswer(run: Run, order: Order, ending: Ending): Answer {
  const times = { beganAtMs: ending.startedAtMs, answeredAtMs: ending.endedAtMs };
  try {
    const document = JSON.parse(ending.stdout) as SendResult & { error?: Answer['fault'] };
    return document.error ? { ...times, fault: document.error } : { ...times, result: document };
  } catch {
    run.observer.complain(`send ${order.key} said no JSON (exit ${ending.code}): ${ending.stderr}`);
    return { ...times, fault: { code: 'no-answer', message: ending.stderr } };
  }
}
