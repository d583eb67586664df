import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * What the demo wants of the programs beyond their messages: at which place an agent waits, so that
 * it is killed just there.
 */
export type Orders = Readonly<Record<string, string>>;

export function readOrders(home: string): Orders {
  try {
    return JSON.parse(readFileSync(ordersPath(home), 'utf8')) as Orders;
  } catch {
    return {}; // None were given yet.
  }
}

/** Written beside and renamed: a reader finds the old ones or the new ones. */
export function giveOrders(home: string, orders: Orders): void {
  const path = ordersPath(home);
  writeFileSync(`${path}.new`, JSON.stringify(orders));
  renameSync(`${path}.new`, path);
}

function ordersPath(home: string): string {
  return join(home, 'demo-orders.json');
}
