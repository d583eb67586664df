import { join } from 'node:path';
import { findFrontSource, imports, writeServer } from './extension-parts.ts';

/**
 * Below the run folder: the extension of this run, and the sockets at which it listens, one per
 * conversation.
 */
export const extensionFile = 'plugin/extensions/signalbox/extension.mjs';

export function linkFolder(runFolder: string): string {
  return join(runFolder, linkName);
}

export const linkName = 'link';

/**
 * The extension that Copilot CLI starts beside itself, with its own SDK (1.0.102): it hands
 * messages to the running session and tells what has become of them. It asks for nothing that a
 * person must allow, adds no tool and no hook, and knows nothing but its own folder. Each
 * conversation has one, at a socket of its own; /clear ends it. /new and /resume may leave a
 * conversation behind with its extension, which goes on sending there, and none is started for one
 * that still has its own: only the session in front is the one that the terminal shows.
 *
 * One line of JSON each way: `{id, do: 'send', text}` → `{id, message}`, or nothing but the session
 * in front where that is another one, and then nothing was sent; `{id, do: 'look'}` → what is
 * pending, which messages it has sent, which have been begun, and for how long the session has been
 * idle. Each answer names the session in front, where it is known. A failure is `{id, error}`.
 */
export const extensionSource = `// Written by signalbox for this run; it goes with the run folder.
${imports}
import { joinSession } from '@github/copilot-sdk/extension';

const sent = new Set();
const begun = new Set();
let idleSince = process.uptime() * 1000;
const session = await joinSession({});
session.on((event) => {
  if (event.agentId) return;
  if (event.type === 'user.message') begun.add(event.data.messageId);
  // A conversation of weeks: those of long ago are in its file.
  if (begun.size > 1000) begun.delete(begun.values().next().value);
  if (event.type === 'session.idle') idleSince = process.uptime() * 1000;
  else if (/^(user\\.message|assistant\\.turn_start)$/.test(event.type)) idleSince = undefined;
});

${findFrontSource}
const acts = {
  front: async () => ({ front: await findFront() }),
  send: async ({ text }) => {
    const front = await findFront();
    if (front !== undefined && front !== session.sessionId) return { front };
    const message = await session.send({ prompt: text });
    sent.add(message);
    if (sent.size > 1000) sent.delete(sent.values().next().value);
    return { message, front };
  },
  look: async () => {
    const { items, withdrawableTurnMessageId } = await session.rpc.queue.pendingItems();
    const idleMs = idleSince === undefined ? undefined : process.uptime() * 1000 - idleSince;
    const pending = items.flatMap(({ messageId }) => messageId ?? []);
    if (withdrawableTurnMessageId) pending.push(withdrawableTurnMessageId);
    const front = await findFront();
    return { pending, sent: [...sent], begun: [...begun], idleMs, front };
  },
};

${writeServer(linkName)}`;
