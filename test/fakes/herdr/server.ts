import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import type { Server, Socket } from 'node:net';
import { connect } from 'node:net';
import { Counters } from './chaos/counters.ts';
import { obeyAll, openChaosDesk } from './chaos/desk.ts';
import { Faults } from './chaos/faults.ts';
import { Gate } from './chaos/gate.ts';
import { dispatcher } from './dispatch.ts';
import { EventHub } from './events/event-hub.ts';
import { watchAgents } from './methods/detection.ts';
import { PositionalIds, StableIds } from './model/ids.ts';
import { watchTitles } from './model/pane-updates.ts';
import { Saving } from './model/saving.ts';
import { Session } from './model/session.ts';
import { keep, restore } from './model/state-file.ts';
import type { Profile } from './profile.ts';
import type { SessionPlace } from './socket-paths.ts';
import { openTerminalDesk } from './terminals/desk.ts';
import { Terminals } from './terminals/terminals.ts';
import { listen } from './wire/connections.ts';

/** `herdr server`: in the foreground until it is told to stop. The exit code is the process's. */
export async function runServer(place: SessionPlace, profile: Profile): Promise<number> {
  if (await isAnswered(place.socket)) {
    process.stderr.write('error: herdr server is already running\n');
    return 1;
  }
  mkdirSync(place.folder, { recursive: true });
  // What a crash left behind: connecting to it was refused just now.
  for (const path of socketsOf(place)) rmSync(path, { force: true });
  const terminals = new Terminals(place.folder);
  await terminals.start();
  const ids = profile.isOld ? new PositionalIds() : new StableIds(profile);
  const saving = new Saving(profile.saveMs, () => keep(session, place.state));
  const session = new Session({
    profile,
    ids,
    hub: new EventHub(),
    terminals,
    place,
    faults: new Faults(),
    counters: new Counters(),
    connections: new Set(),
    saving,
  });
  await restore(session, place.state);
  const stopped = new Promise<void>((stop) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, stop);
    void open(place, session, stop);
  });
  const ends = [watchAgents(session), watchTitles(session)];
  await stopped;
  saving.end();
  for (const end of ends) end();
  for (const path of socketsOf(place)) rmSync(path, { force: true });
  await terminals.end();
  return 0;
}

async function open(place: SessionPlace, session: Session, stop: () => void): Promise<void> {
  track(await openTerminalDesk(place.clientSocket, session));
  chmodSync(place.clientSocket, 0o600);
  const handle = dispatcher(session, () => setTimeout(stop, 20));
  const gate = new Gate(place.socket, async () => {
    const server = await listen(place.socket, session.parts, handle);
    track(server);
    return server;
  });
  track(await openChaosDesk(place.chaosSocket, session, gate));
  await obeyAll(process.env['FAKE_HERDR_CHAOS'], session, gate);
  await gate.open();
  process.stderr.write('herdr server running; stop it with `herdr server stop`\n');
  process.stderr.write(`api socket: ${place.socket}\nclient socket: ${place.clientSocket}\n`);
}

function socketsOf({ socket, clientSocket, chaosSocket }: SessionPlace): readonly string[] {
  return [socket, clientSocket, chaosSocket];
}

function track(server: Server): void {
  server.on('error', (error) => process.stderr.write(`${error.message}\n`));
}

/** A socket file may be there without anybody behind it. */
function isAnswered(path: string): Promise<boolean> {
  return new Promise((done) => {
    const socket: Socket = connect(path);
    const answer = (isThere: boolean) => {
      socket.destroy();
      done(isThere);
    };
    socket.once('connect', () => answer(true));
    socket.once('error', () => answer(false));
  });
}
