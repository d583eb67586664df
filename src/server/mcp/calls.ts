import type { Taken } from '../../delivery/settle-handed-out.ts';
import type { LineTest } from '../../delivery/untaken.ts';
import type { Clock } from '../../shared/clock.ts';
import { EarlyCancels, isSameWay } from './early-cancels.ts';
import type { Exchange } from './exchange.ts';

/**
 * Of one agent, of those that wait for a further call. Beyond them the oldest are forgotten: what
 * they handed out is offered again.
 */
const mostWaiting = 100;

/**
 * A model that has read an answer calls again later than this. A call that comes sooner by another
 * connection of the same session may have been sent beside the first one, whose connection may yet
 * be reset.
 */
const readMs = 1000;

/**
 * Whether the records of the agent show all that these calls handed out: then its client has taken
 * it.
 */
type OnRecord = (agent: string, isMeant: LineTest) => Promise<boolean>;

/**
 * The calls that are under way, and those whose answers were written and carried messages: until a
 * further call the same way, by the same proxy, connection or MCP session, nobody knows that the
 * client has read them (rule 17).
 */
export class Calls {
  readonly #clock: Clock;
  readonly #isOnRecord: OnRecord;
  readonly #isLiving: (agent: string) => Promise<boolean>;
  /** Of each, how to hear no more of the end of its connection. */
  readonly #byAgent = new Map<string, Map<Exchange, () => void>>();
  readonly #early = new EarlyCancels();

  /** `isLiving`: whether the agent has not been removed; never fails. */
  constructor(clock: Clock, isOnRecord: OnRecord, isLiving: (agent: string) => Promise<boolean>) {
    this.#clock = clock;
    this.#isOnRecord = isOnRecord;
    this.#isLiving = isLiving;
  }

  /** How many agents something is remembered of. */
  get size(): number {
    return this.#byAgent.size;
  }

  open(exchange: Exchange): void {
    const { caller, way, isConfirmed } = exchange;
    // Whenever there is one more, so that there are never more than live and have just been
    // removed.
    if (!this.#byAgent.has(caller.id)) void this.#forgetRemoved();
    const calls = this.#byAgent.get(caller.id) ?? new Map();
    this.#byAgent.set(caller.id, calls);
    const [oldest] = this.#waiting(caller.id);
    if (oldest && calls.size >= mostWaiting) this.#forget(oldest);
    calls.set(exchange, () => undefined);
    if (this.#early.take(exchange)) void exchange.doubt(wasOvertaken);
    // A proxy has a new connection for each call, and says itself what it has printed.
    if (isConfirmed || !way.connection) return;
    const unfollow = way.connection.onEnd((end) => {
      if (end === 'closed' && way.session !== undefined) return;
      this.#forget(exchange);
      if (end === 'reset') void exchange.leave(wasReset);
    });
    if (calls.has(exchange)) calls.set(exchange, unfollow);
  }

  /** Its answer is written, or nobody waits for it. */
  close(exchange: Exchange): void {
    exchange.overAtMs ??= this.#clock.monotonicMs();
    if (!exchange.isCarrying || exchange.signal.aborted) this.#forget(exchange);
  }

  /** The client wants no answer to its request of this id any more, or has thrown it away. */
  async cancel(by: Exchange, request: string): Promise<void> {
    const meant = this.#list(by.caller.id).filter(
      (call) => isSameWay(call.way, by.way) && call.requests.includes(request),
    );
    const [only] = meant;
    if (!only) return this.#cancelUnknown(by, request);
    if (meant.length === 1 && only.requests.length === 1) {
      // Kimi 2.1.0 and OpenCode 1.18.33 cancel calls that were answered, whatever became of the
      // answer.
      const isIt: LineTest = (line) => line === only.line;
      if (only.overAtMs !== undefined && (await this.#isOnRecord(by.caller.id, isIt))) return;
      this.#forget(only);
      return only.leave('the client cancelled the call that it was handed out by');
    }
    // Two connections without a session may use the same ids: none is cut short for another, and
    // nothing counts as read.
    const cause = 'a call like the one that it was handed out by was cancelled';
    for (const call of meant) await call.doubt(cause);
  }

  /**
   * It has yet to come, or a daemon before us answered it: then all that its proxy was handed by
   * that one may be meant.
   */
  async #cancelUnknown(by: Exchange, request: string): Promise<void> {
    this.#early.keep(by, request);
    const isBefore: LineTest = (line) => isOfProxy(line, by) && !this.#find(by, line);
    if (await this.#isOnRecord(by.caller.id, isBefore)) return;
    return by.untake(isBefore, 'its client cancelled a call that may have handed it out');
  }

  /** Whether what was handed out by a call has been read, now that this one came. */
  takenBy(call: Exchange): Taken {
    const earlier = this.#waiting(call.caller.id).filter((one) => this.#isRead(one, call));
    const lines = new Set(earlier.map(({ line }) => line));
    return (line) => line === undefined || isOfProxy(line, call) || lines.has(line);
  }

  /** Whether that may still come, so that it is not offered again yet. */
  keptFor(call: Exchange): LineTest {
    return (line) => {
      if (isOfProxy(line, call)) return true;
      const earlier = this.#find(call, line)?.way;
      return earlier?.session !== undefined && earlier.session === call.way.session;
    };
  }

  /** What was taken is nobody's question any more. */
  forget({ caller }: Exchange, isTaken: Taken): void {
    for (const earlier of this.#waiting(caller.id)) {
      if (isTaken(earlier.line)) this.#forget(earlier);
    }
  }

  /** Of one that was removed no further call shows what it has read. */
  async #forgetRemoved(): Promise<void> {
    for (const agent of [...this.#byAgent.keys()]) {
      if (await this.#isLiving(agent)) continue;
      for (const call of this.#waiting(agent)) this.#forget(call);
    }
  }

  #isRead({ way, overAtMs }: Exchange, call: Exchange): boolean {
    if (way.proxy !== undefined || call.way.proxy !== undefined) return false;
    // It may have been sent before the answer was there to be read.
    if (overAtMs === undefined || call.cameAtMs < overAtMs) return false;
    const { connection, session } = way;
    if (connection?.id === call.way.connection?.id) return true;
    if (session === undefined || session !== call.way.session) return false;
    const isLongOver = call.cameAtMs - overAtMs >= readMs;
    return connection?.end === 'closed' || isLongOver;
  }

  #find({ caller }: Exchange, line: string): Exchange | undefined {
    return this.#list(caller.id).find((call) => call.line === line);
  }

  #waiting(agent: string): readonly Exchange[] {
    return this.#list(agent).filter(({ overAtMs }) => overAtMs !== undefined);
  }

  #list(agent: string): readonly Exchange[] {
    return [...(this.#byAgent.get(agent)?.keys() ?? [])];
  }

  #forget(exchange: Exchange): void {
    const calls = this.#byAgent.get(exchange.caller.id);
    calls?.get(exchange)?.();
    calls?.delete(exchange);
    if (calls?.size === 0) this.#byAgent.delete(exchange.caller.id);
  }
}

const wasOvertaken = 'the client had cancelled the call that it was handed out by before that came';
const wasReset = 'the client reset the connection by which it was handed out';

function isOfProxy(line: string, { way }: Exchange): boolean {
  return way.proxy !== undefined && line.startsWith(`${way.proxy}/`);
}
