import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HoldPlace } from './journal.ts';

/** What the demo wants of the programs beyond their messages. */
export interface Orders {
  /** Begin nothing new. */
  readonly rest: boolean;
  /** By process, so that the next life of the same agent goes on. */
  readonly hold: Readonly<Record<number, HoldPlace>>;
}

const none: Orders = { rest: false, hold: {} };

export function readOrders(home: string): Orders {
  try {
    return JSON.parse(readFileSync(ordersPath(home), 'utf8')) as Orders;
  } catch {
    return none; // None were given yet.
  }
}

/** Written beside and renamed: a reader finds the old ones or the new ones. */
export function giveOrders(home: string, orders: Partial<Orders>): void {
  const path = ordersPath(home);
  writeFileSync(`${path}.new`, JSON.stringify({ ...readOrders(home), ...orders }));
  renameSync(`${path}.new`, path);
}

function ordersPath(home: string): string {
  return join(home, 'demo-orders.json');
}
