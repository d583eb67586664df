import { callName } from '../agents/reference.ts';
import { viewFleet } from './fleet.ts';
import { type Faring, isAtRest } from './judge-message.ts';
import type { MessageRow } from './line.ts';
import type { World } from './world.ts';

/**
 * Messages on a time axis. Each agent has a lane; a message is a bar in the lane of its recipient,
 * from the moment at which it was sent until it was read, or until now: what waits is long, and is
 * seen by its length. A thin line comes down, or up, from the lane of its sender.
 */
export interface Axis {
  readonly lanes: readonly Lane[];
  readonly bars: readonly Bar[];
  readonly ticks: readonly Tick[];
  /** Wall time of both edges. */
  readonly from: number;
  readonly until: number;
}

export interface Lane {
  readonly id: string;
  readonly name: string;
  readonly session: string;
  /** Bars that lie beside each other in time take rows below each other. */
  readonly rows: number;
  /** From 0, the uppermost. */
  readonly index: number;
  /** In rows from the top of the picture. */
  readonly top: number;
  /** Bars for which there was no row left. */
  readonly hidden: number;
}

export interface Bar {
  readonly id: string;
  readonly faring: Faring;
  readonly kind: MessageRow['kind'];
  /** In lanes. */
  readonly sender: number;
  readonly recipient: number;
  /** In rows within its lane. */
  readonly row: number;
  /** Parts of the width, 0 to 1. */
  readonly start: number;
  readonly end: number;
  /** It was sent before the left edge. */
  readonly isOlder: boolean;
  /** It goes on: its right end is now. */
  readonly isOpen: boolean;
}

interface Tick {
  readonly at: number;
  readonly x: number;
}

export interface AxisWish {
  readonly now: number;
  readonly spanMs: number;
}

/** Of one lane; more bars at one time are counted, not drawn. */
const mostRows = 6;
/** A message that took no time is still seen: so much of the width. */
const shortest = 0.004;

export function layOutAxis(world: World, rows: readonly MessageRow[], wish: AxisWish): Axis {
  const { now: until, spanMs } = wish;
  const from = until - spanMs;
  const within = rows.filter((row) => isOpen(row) || Date.parse(row.changedAt) >= from);
  const order = orderLanes(world, within);
  const packed = order.map(() => new Packing());
  const indices = new Map(order.map(({ id }, i) => [id, i]));
  const bars: Bar[] = [];
  // The oldest first, so that a bar keeps its row while younger ones come.
  for (const row of within.toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : 1))) {
    const bar = placeBar(row, indices, packed, { from, until });
    if (bar) bars.push(bar);
  }
  let top = 0;
  const lanes = order.map((lane, i) => {
    const { rows: height = 1, hidden = 0 } = packed[i] ?? {};
    const placed = { ...lane, index: i, rows: Math.max(1, height), top, hidden };
    top += placed.rows;
    return placed;
  });
  return { lanes, bars, ticks: listTicks(from, until), from, until };
}

function placeBar(
  row: MessageRow,
  lanes: ReadonlyMap<string, number>,
  packed: readonly Packing[],
  { from, until }: { readonly from: number; readonly until: number },
): Bar | undefined {
  const [sender, recipient] = [lanes.get(row.fromId), lanes.get(row.toId)];
  if (sender === undefined || recipient === undefined) return undefined;
  const place = (at: number): number => Math.min(1, Math.max(0, (at - from) / (until - from)));
  const start = place(Date.parse(row.createdAt));
  const open = isOpen(row);
  const end = open ? 1 : Math.max(place(Date.parse(row.changedAt)), start + shortest);
  const room = packed[recipient]?.take(start, end);
  if (room === undefined) return undefined;
  const { id, faring, kind } = row;
  const isOlder = Date.parse(row.createdAt) < from;
  return { id, faring, kind, sender, recipient, row: room, start, end, isOlder, isOpen: open };
}

/** Sent, and no proof can come: that is its end. */
function isOpen(row: MessageRow): boolean {
  return row.faring !== 'unproven' && !isAtRest(row);
}

/** The person first, then as the fleet stands; agents that are gone, and signalbox itself, last. */
function orderLanes(
  world: World,
  rows: readonly MessageRow[],
): readonly Pick<Lane, 'id' | 'name' | 'session'>[] {
  const wanted = new Map<string, string>();
  for (const { fromId, from, toId, to } of rows) wanted.set(fromId, from).set(toId, to);
  const ranks = new Map<string, number>([[world.user, -1]]);
  for (const row of viewFleet(world)) ranks.set(row.id, ranks.size);
  const rank = (id: string): number => ranks.get(id) ?? Number.MAX_SAFE_INTEGER;
  return [...wanted]
    .sort(([a, x], [b, y]) => rank(a) - rank(b) || (x < y ? -1 : 1))
    .map(([id, name]) => {
      const agent = world.agents.get(id);
      return { id, name: agent ? callName(agent) : name, session: agent?.session ?? '' };
    });
}

class Packing {
  /** Where the last bar of each row ends. */
  readonly #ends: number[] = [];
  hidden = 0;

  get rows(): number {
    return this.#ends.length;
  }

  take(start: number, end: number): number | undefined {
    const free = this.#ends.findIndex((used) => used + shortest <= start);
    const row = free < 0 ? this.#ends.length : free;
    if (row >= mostRows) {
      this.hidden++;
      return undefined;
    }
    this.#ends[row] = end;
    return row;
  }
}

const steps = [10, 30, 60, 300, 600, 900, 1800, 3600].map((seconds) => seconds * 1000);

/** At round times of the clock, four to seven of them. */
function listTicks(from: number, until: number): readonly Tick[] {
  const span = until - from;
  const step = steps.find((one) => span / one <= 7) ?? span / 4;
  const first = Math.ceil(from / step) * step;
  const count = Math.floor((until - first) / step) + 1;
  return Array.from({ length: count }, (_, i) => first + i * step).map((at) => ({
    at,
    x: (at - from) / span,
  }));
}
