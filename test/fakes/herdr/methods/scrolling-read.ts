import { setTimeout as delay } from 'node:timers/promises';
import { kinds, statusOf } from '../model/hosted-agent.ts';
import { needAgent, needPane } from '../model/lookup.ts';
import type { Pane } from '../model/panes.ts';
import type { Session } from '../model/session.ts';
import type { Screen } from '../terminals/terminals.ts';
import { ApiError } from '../wire/api-error.ts';
import type { Json } from '../wire/json.ts';
import { numberOf } from '../wire/request-shapes.ts';
import type { Request } from '../wire/requests.ts';
import { capture, dropBlankEnd, isRecent, mostLines, readPane, textOf } from './read-pane.ts';

const stepMs = 120;
const quietMs = 10;
const longestMs = 15_000;
const longestRestoreMs = 5_000;
const stepWheels = 3;

/**
 * `pane.read` and `agent.read`. Since herdr 0.8.0 one of them has an effect: `recent` and
 * `recent_unwrapped` as text, of more lines than the screen has rows, of an idle agent of a known
 * kind that shows the alternate screen and listens to the mouse. herdr then turns the wheel for it
 * until it has seen enough, and back again, for up to 20 seconds in which other reads get what was
 * there before (text) or wait (ansi). Whatever did this is among the counts (`scrolls`; see
 * chaos/desk.ts).
 */
export async function read(session: Session, request: Request): Promise<Json> {
  const { method, params } = request;
  const found = await session.exclusive(async () => {
    const pane =
      method === 'agent.read'
        ? needAgent(session, String(params['target']))
        : needPane(session, String(params['pane_id']));
    return { pane, read: await plan(session, pane, request) };
  });
  const result = typeof found.read === 'function' ? await found.read() : found.read;
  return { type: 'pane_read', read: result };
}

/** What can be told at once, or what takes longer than others should wait. */
async function plan(session: Session, pane: Pane, request: Request) {
  const { params } = request;
  const passive = await readPane(session, pane, params);
  const running = harvests.get(pane);
  if (running) {
    return passive['format'] === 'text'
      ? { ...passive, text: textOf(running.before, true) }
      : () => running.done.then(() => readPane(session, pane, params));
  }
  const lines = Math.min(numberOf(params, 'lines') ?? 80, mostLines);
  const isHistory = passive['format'] === 'text' && isRecent(String(params['source']));
  const isKnown = kinds.includes(pane.hosted.label ?? '');
  if (session.parts.profile.isOld || !isHistory || !isKnown) return passive;
  const screen = await capture(session, pane, {});
  if (!screen.isAlternate || screen.size.rows >= lines) return passive;
  const status = statusOf(pane.agent);
  if (pane.hosted.state !== 'idle') {
    if (request.method !== 'agent.read' || params['lines'] === undefined) return passive;
    throw new ApiError('agent_not_idle', `cannot read ${lines} lines while the agent is ${status}`);
  }
  if (screen.mouse === undefined || session.controlled.has(pane)) return passive;
  return () => harvest(session, pane, { request, lines, screen, passive });
}

interface Harvest {
  readonly request: Request;
  readonly lines: number;
  readonly screen: Screen;
  readonly passive: Json;
}

const harvests = new WeakMap<Pane, { before: readonly string[]; done: Promise<void> }>();

async function harvest(session: Session, pane: Pane, wish: Harvest): Promise<Json> {
  const { request, lines, screen, passive } = wish;
  let finish = () => {};
  const done = new Promise<void>((resolve) => {
    finish = resolve;
  });
  harvests.set(pane, { before: dropBlankEnd(screen.lines), done });
  const wheel = new Wheel(session, pane, screen);
  try {
    const rows = await collect(wheel, screen.lines, lines);
    if (!rows) return passive;
    const text = textOf(dropBlankEnd(rows.slice(-lines)), true);
    return { ...passive, text, truncated: rows.length > lines || !wheel.isTop };
  } catch {
    return passive; // The program ended meanwhile.
  } finally {
    session.parts.counters.scrolled({
      pane_id: session.ids.pane(pane),
      terminal_id: pane.terminal.id,
      method: request.method,
      lines,
      wheels: wheel.turned,
    });
    harvests.delete(pane);
    finish();
  }
}

/** All rows that were seen, from above, or none where they would not fit together. */
async function collect(
  wheel: Wheel,
  first: readonly string[],
  most: number,
): Promise<readonly string[] | undefined> {
  // Who is not at the bottom is put back there, and left alone.
  if (!isSame(await wheel.turn('down', stepWheels), first)) {
    await wheel.turn('up', stepWheels);
    return undefined;
  }
  let rows: readonly string[] = first;
  let shown: readonly string[] = first;
  let up = 0;
  let isWhole = true;
  const deadline = performance.now() + longestMs;
  while (rows.length < most && performance.now() < deadline) {
    up += stepWheels;
    const next = await wheel.turn('up', stepWheels);
    if (isSame(next, shown)) {
      wheel.isTop = true;
      break;
    }
    const added = linesAbove(next, shown);
    isWhole = added !== undefined;
    if (!added) break;
    rows = [...added, ...rows];
    shown = next;
  }
  const end = performance.now() + longestRestoreMs;
  let back = await wheel.turn('down', up);
  while (!isSame(back, first) && performance.now() < end)
    back = await wheel.turn('down', stepWheels);
  return isWhole ? rows : undefined;
}

/** What came into view above, if the rest is what was there, further down. */
function linesAbove(
  next: readonly string[],
  shown: readonly string[],
): readonly string[] | undefined {
  for (let by = 1; by < next.length; by++) {
    if (isSame(next.slice(by), shown.slice(0, next.length - by))) return next.slice(0, by);
  }
  return undefined;
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((line, index) => line.trimEnd() === b[index]?.trimEnd());
}

/** The mouse wheel, as the program is told of it. */
class Wheel {
  turned = 0;
  isTop = false;
  readonly #session: Session;
  readonly #pane: Pane;
  readonly #screen: Screen;

  constructor(session: Session, pane: Pane, screen: Screen) {
    this.#session = session;
    this.#pane = pane;
    this.#screen = screen;
  }

  /** What the screen shows when the program has reacted, or has had the time to. */
  async turn(direction: 'up' | 'down', times: number): Promise<readonly string[]> {
    const before = await this.#look();
    const { rows, cols } = this.#screen.size;
    const [x, y] = [Math.ceil(cols / 2), Math.ceil(rows / 2)];
    const button = direction === 'up' ? 64 : 65;
    const event =
      this.#screen.mouse === 'sgr'
        ? Buffer.from(`\x1b[<${button};${x};${y}M`)
        : Buffer.from([0x1b, 0x5b, 0x4d, button + 32, x + 32, y + 32]);
    this.turned += times;
    const bytes = Buffer.concat(Array.from({ length: times }, () => event));
    await this.#session.parts.terminals.write(this.#pane.terminal, bytes);
    const deadline = performance.now() + stepMs;
    let last = before;
    for (;;) {
      await delay(quietMs);
      const next = await this.#look();
      if (!isSame(next, before) && isSame(next, last)) return next;
      if (performance.now() > deadline) return next;
      last = next;
    }
  }

  async #look(): Promise<readonly string[]> {
    return (await capture(this.#session, this.#pane, {})).lines;
  }
}
