import { createInterface } from 'node:readline';
import { writeJson } from '../../../src/cli/output.ts';
import { openDirectClient } from '../../../src/client/direct/open.ts';
import { systemClock } from '../../../src/shared/clock.ts';
import { Fault } from '../../../src/shared/fault.ts';
import { composeBody } from './body.ts';
import type { Answer } from './observer.ts';
import type { Order } from './orders.ts';

/**
 * A worker that sends through the client library: orders as lines on its standard input, one answer
 * as a line for each, in order. It ends when its input does.
 */
const client = await openDirectClient(process.env);
for await (const line of createInterface({ input: process.stdin })) {
  const order = JSON.parse(line) as Order;
  writeJson({ key: order.key, ...(await send(order)) });
}
await client.close();

async function send(order: Order): Promise<Answer> {
  const beganAtMs = systemClock.monotonicMs();
  const { key, size, ...outgoing } = order;
  try {
    const result = await client.send({ ...outgoing, key, body: composeBody({ key, size }) });
    return { beganAtMs, answeredAtMs: systemClock.monotonicMs(), result };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const fault = { code: error.code, message: error.message };
    return { beganAtMs, answeredAtMs: systemClock.monotonicMs(), fault };
  }
}
