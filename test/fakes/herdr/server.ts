import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import type { Server, Socket } from 'node:net';
import { connect } from 'node:net';
import { dispatcher } from './dispatch.ts';
import { EventHub } from './events/event-hub.ts';
import { watchAgents } from './methods/detection.ts';
import { PositionalIds, StableIds } from './model/ids.ts';
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
  for (const path of [place.socket, place.clientSocket]) rmSync(path, { force: true });
  const terminals = new Terminals(place.folder);
  await terminals.start();
  const ids = profile.isOld ? new PositionalIds() : new StableIds(profile);
  let isStopping = false;
  const changed = () => {
    if (!isStopping) keep(session, place.state);
  };
  const session = new Session({ profile, ids, hub: new EventHub(), terminals, place, changed });
  await restore(session, place.state);
  const stopped = new Promise<void>((stop) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, stop);
    void open(place, profile, session, stop);
  });
  const endWatch = watchAgents(session);
  await stopped;
  isStopping = true;
  endWatch();
  for (const path of [place.socket, place.clientSocket]) rmSync(path, { force: true });
  await terminals.end();
  return 0;
}

async function open(
  place: SessionPlace,
  profile: Profile,
  session: Session,
  stop: () => void,
): Promise<void> {
  track(await openTerminalDesk(place.clientSocket, session));
  track(
    await listen(
      place.socket,
      profile,
      dispatcher(session, () => setTimeout(stop, 20)),
    ),
  );
  for (const path of [place.socket, place.clientSocket]) chmodSync(path, 0o600);
  process.stderr.write('herdr server running; stop it with `herdr server stop`\n');
  process.stderr.write(`api socket: ${place.socket}\nclient socket: ${place.clientSocket}\n`);
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
