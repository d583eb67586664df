import { writeSync } from 'node:fs';
import type { DirectClient } from '../client/client.ts';
import { openDirectClient } from '../client/direct/open.ts';
import { systemClock } from '../shared/clock.ts';
import { reachFailPoint } from '../shared/fail-point.ts';
import { pause } from './pause.ts';
import type { Report } from './report.ts';
import { answer, type Letter, lead, writeJob } from './team.ts';

/**
 * The program that each agent of the demo runs: an outsider that knows the client and its own name. It takes what is in
 * its inbox, says so, answers, and only then confirms; so a kill anywhere leaves something that is handed out again, and
 * answers that are written again under the same keys. `node demo-agent.cjs <first job>`.
 */

/** Between two looks into an empty inbox. */
const lookEveryMs = 8;
/** Between two jobs: about a hundred messages a second in all, which two busy cores can carry. */
const jobEveryMs = 25;
/** Messages taken at once; what one kill can make uncertain. */
const atOnce = 6;

async function play(firstJob: number): Promise<void> {
  const orders = listen();
  const client = await openDirectClient(process.env);
  const isLead = client.caller.name === lead;
  let job = firstJob;
  report({ fact: 'started' });
  // A lead that was killed does not know whether its last job was accepted: before all else it sends that one again.
  if (isLead) await send(client, writeJob(job++));
  let nextJobAtMs = 0;
  let isResting = false;
  while (!orders.end.aborted) {
    if (orders.mayRest() && !isResting) {
      isResting = true;
      report({ fact: 'resting' });
    }
    const taken = await takeMail(client);
    if (isLead && !isResting && systemClock.monotonicMs() >= nextJobAtMs) {
      nextJobAtMs = systemClock.monotonicMs() + jobEveryMs;
      await send(client, writeJob(job++));
    }
    if (taken === 0) await pause(lookEveryMs, orders.end);
  }
  await client.close();
}

async function takeMail(client: DirectClient): Promise<number> {
  const drain = await client.drain(undefined, atOnce);
  if (drain.messages.length === 0) return 0;
  const copies = drain.messages.map(({ id, from, body, repeat }) => ({
    id,
    from: from.name,
    text: body,
    repeat: repeat === true,
  }));
  report({ fact: 'received', copies });
  await reachFailPoint('demo.received');
  for (const { from, text } of copies) {
    await systemClock.sleep(1 + Math.random() * 4); // The work.
    for (const letter of answer(client.caller.name, from, text)) await send(client, letter);
  }
  await drain.finish();
  return copies.length;
}

/**
 * Not as a reply to the message's id: that would ack it in the same step, and a program killed right after could never
 * tell the observer that its answer was accepted.
 */
async function send(client: DirectClient, { to, text }: Letter): Promise<void> {
  const { id, duplicate } = await client.send({ to, body: text, key: text });
  await reachFailPoint('demo.sent');
  report({ fact: 'accepted', id, to, text, duplicate });
}

/** Small and synchronous, so that it is whole in the pipe before the next step, whatever kills us then. */
function report(fact: Report): void {
  writeSync(1, `${JSON.stringify(fact)}\n`);
}

/** Any line means rest; the end of the input means end, and comes by itself when the observer is gone. */
function listen(): { mayRest: () => boolean; end: AbortSignal } {
  const end = new AbortController();
  let rest = false;
  process.stdin.on('data', () => {
    rest = true;
  });
  for (const event of ['end', 'error']) process.stdin.on(event, () => end.abort());
  // Ctrl-C reaches the whole group; the observer, who gets it too, ends us in order.
  process.on('SIGINT', () => undefined);
  return { mayRest: () => rest, end: end.signal };
}

play(Number(process.argv[2] ?? 1)).catch((error: unknown) => {
  const why = error instanceof Error ? error.message : String(error);
  try {
    writeSync(2, `${why}\n`);
  } finally {
    process.exit(1);
  }
});
