import { findSocket } from './place.ts';
import { ask, HerdrError } from './request.ts';
import { requireHerdr } from './server.ts';
import { requireVersion, type ServerSight } from './version.ts';

/** A person waits for the answer. */
const answerMs = 2000;

export interface HerdrSight {
  /** Undefined while no server runs in that session: one is started when it is needed. */
  readonly version?: string;
  /** What agents in it do without, and why. */
  readonly limits: readonly string[];
}

/**
 * herdr as the person who asks has it; nothing is started. Throws a Fault when it cannot be used.
 */
export async function inspectHerdr(env: NodeJS.ProcessEnv, session: string): Promise<HerdrSight> {
  await requireHerdr(env);
  let server: ServerSight;
  try {
    const socket = findSocket(session, env);
    server = requireVersion(await ask(socket, { method: 'ping', deadlineMs: answerMs }));
  } catch (error) {
    if (error instanceof HerdrError && error.kind === 'unsent') return { limits: [noPaste] };
    throw error;
  }
  const { version, isOld } = server;
  return { version, limits: isOld ? [noPaste, noTyping] : [noPaste] };
}

const noPaste =
  'nothing is pasted: herdr tells neither the cursor nor whether a person types; agents receive by their native route and at turn boundaries';
const noTyping = 'nothing is typed: this version numbers its panes anew whenever one closes';
