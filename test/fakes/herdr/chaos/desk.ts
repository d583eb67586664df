import { createServer, type Server } from 'node:net';
import type { Session } from '../model/session.ts';
import type { Json } from '../wire/json.ts';
import { onLine } from '../wire/lines.ts';
import { numberOf, textOf } from '../wire/request-shapes.ts';
import type { Gate } from './gate.ts';

/**
 * Trouble on demand, for tests of clients: a third socket beside herdr's own two,
 * `<api socket>.chaos`. One JSON line is one command, answered by one JSON line; a connection takes
 * any number of them. `FAKE_HERDR_CHAOS` may hold a JSON list of commands that hold from the start.
 * The real herdr has nothing of all this.
 *
 * Faults of connections. Each holds until `calm`, or for `times` connections, and for all methods
 * or for one `method`:
 *   {"do":"drop","at":N}         the connection ends after N bytes of the answer (a subscription:
 *                                of all its lines)
 *   {"do":"delay","ms":N}        what is written to the connection comes N ms late
 *   {"do":"hang"}                the request is accepted and done, and never answered
 *   {"do":"garbage","text"?}     the request is done, the answer is this line and no JSON object
 * Faults of the server:
 *   {"do":"refuse","ms"?}        nobody listens (ECONNREFUSED) for so long, or until `calm`; open
 *                                connections stay
 *   {"do":"vanish","ms"?}        the same without the socket's file (ENOENT)
 *                                After either, a server that another has replaced meanwhile is out
 *                                of reach for good.
 *   {"do":"cut"}                 every open connection ends now
 *   {"do":"stall","ms":N}        the server does nothing for so long; a ping is still answered
 * Faults of events:
 *   {"do":"replay","count"?}     the latest retained events (all of them without a count) are sent
 *                                once more, as if new
 *   {"do":"reorder","seed"?}     lines of a subscription are held back for a few ticks at random
 *                                and overtake each other
 *   {"do":"renumber"}            herdr 0.6.8: in every workspace the panes swap their numbers
 *                                round, without an event
 * And:
 *   {"do":"calm"}                no more faults
 *   {"do":"count"}               {"connections":{"opened","open"},"requests":{<method>:n},
 *                                "undecodable":n,"faults":[…],"scrolls":[{"pane_id","terminal_id",
 *                                "method","lines","wheels"}],"saved","authorities":{<pane>:<source>}}:
 *                                what clients did; each entry of `scrolls` is a read that scrolled
 *                                the program in the pane; whether a kill would lose nothing of the
 *                                layout
 *   {"do":"reset"}               counts begin at zero
 */
export function openChaosDesk(path: string, session: Session, gate: Gate): Promise<Server> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    onLine(socket, (text) => {
      void obey(text, session, gate).then((answer) => socket.write(`${JSON.stringify(answer)}\n`));
    });
  });
  return new Promise((done) => {
    // A path may be too long for a socket by these few letters; then there is no trouble to be had.
    server.once('error', () => done(server));
    server.listen(path, () => done(server));
  });
}

export async function obeyAll(commands: string | undefined, session: Session, gate: Gate) {
  for (const command of JSON.parse(commands ?? '[]') as readonly Json[]) {
    const { error } = await obey(JSON.stringify(command), session, gate);
    if (error) throw new Error(`FAKE_HERDR_CHAOS: ${String(error)}`);
  }
}

async function obey(text: string, session: Session, gate: Gate): Promise<Json> {
  const command = JSON.parse(text) as Json;
  const { faults, counters, connections, hub, saving } = session.parts;
  const word = textOf(command, 'do') ?? '';
  const ms = numberOf(command, 'ms');
  if (faults.set(command)) return ok;
  switch (word) {
    case 'refuse':
    case 'vanish':
      gate.shut(ms, word === 'refuse');
      return ok;
    case 'cut':
      for (const connection of connections) connection.close();
      return ok;
    case 'stall':
      void session.exclusive(() => new Promise<void>((done) => setTimeout(done, ms ?? 0)));
      return ok;
    case 'replay':
      hub.repeat(numberOf(command, 'count'));
      return ok;
    case 'reorder':
      faults.reorder(numberOf(command, 'seed') ?? 1);
      return ok;
    case 'renumber':
      if (!session.parts.profile.isOld) return { error: 'ids are stable since herdr 0.7.0' };
      return session.exclusive(async () => renumber(session));
    case 'calm':
      faults.calm();
      await gate.open();
      return ok;
    case 'count':
      return {
        ...counters.report,
        faults: faults.report,
        saved: saving.isDone,
        authorities: authoritiesOf(session),
      };
    case 'reset':
      counters.reset();
      return ok;
    default:
      return { error: `unknown command ${word}` };
  }
}

const ok = { ok: true };

/** Whose word each pane shows, where it is not herdr's own. */
function authoritiesOf({ panes, ids }: Session): Json {
  const told = panes.filter(({ hosted }) => hosted.authority !== undefined);
  return Object.fromEntries(told.map((pane) => [ids.pane(pane), pane.hosted.authority?.source]));
}

function renumber(session: Session): Json {
  for (const { panes } of session.workspaces) {
    const numbers = panes.map(({ number }) => number);
    for (const [index, pane] of panes.entries()) {
      pane.number = numbers[(index + 1) % numbers.length] ?? pane.number;
    }
  }
  return ok;
}
