import { join } from 'node:path';
import { findFrontSource, imports, writeServer } from './extension-parts.ts';

/**
 * Below the run folder: the extension that carries answers, and the folder of its sockets. It is
 * there only where the launch asked for it, and a person is asked about it.
 */
export const answersExtensionFile = 'plugin/extensions/signalbox-answers/extension.mjs';

export function answersFolder(runFolder: string): string {
  return join(runFolder, answersName);
}

export const answersName = 'answers';

/**
 * The second extension of a run, by which permissions are answered from elsewhere. It is one of its
 * own, since Copilot CLI asks a person at each start whether it may handle permission requests
 * (1.0.102), and does not load one that was refused: messages go on by the other one. Its handler
 * decides nothing at all, so whatever ends here (this program, the daemon, the socket) leaves the
 * dialog to the person.
 *
 * It tells all that is open, `{questions}`, whenever that changes, and to `{id, do: 'list'}`.
 * `{id, do: 'decide', key, decision}` → `{id, success, ended}`: whether Copilot took it, and by its
 * own event how that request ended; `{id, error, isOpen}` where Copilot refused the call and still
 * asks.
 */
export const answersExtensionSource = `// Written by signalbox for this run; it goes with the run folder.
${imports}
import { joinSession } from '@github/copilot-sdk/extension';

const open = new Map();
const ends = new Map();
const waiting = new Map();
const listeners = new Set();
const kinds = { __proto__: null, allow: 'approve-once', deny: 'reject' };
const session = await joinSession({ onPermissionRequest: () => ({ kind: 'no-result' }) });
session.on((event) => {
  const { requestId, promptRequest, resolvedByHook, result } = event.data ?? {};
  if (event.type === 'permission.requested') {
    if (resolvedByHook || !promptRequest) return;
    open.set(requestId, describe(requestId, promptRequest, event.agentId !== undefined));
    tell();
  } else if (event.type === 'permission.completed') {
    end(requestId, result?.kind ?? 'unknown');
  } else if (/^(abort|session\\.idle)$/.test(event.type)) {
    void look();
  }
});
// What was asked before this program was there.
await look();

function describe(key, request, isSubAgents) {
  return { key, request, ...(isSubAgents ? { isSubAgents } : {}) };
}

function end(key, kind) {
  ends.set(key, kind);
  if (ends.size > 1000) ends.delete(ends.keys().next().value);
  open.delete(key);
  waiting.get(key)?.(kind);
  tell();
}

async function look() {
  const before = [...open.keys()];
  try {
    const { items } = await session.rpc.permissions.pendingRequests();
    const pending = new Set(items.map(({ requestId }) => requestId));
    for (const key of before) if (!pending.has(key)) open.delete(key);
    for (const { requestId, request } of items) {
      if (open.has(requestId) || ends.has(requestId)) continue;
      open.set(requestId, describe(requestId, request, false));
    }
    tell();
    return true;
  } catch {
    // It shows no end: what was open stays so, and its events go on telling.
    return false;
  }
}

function list() {
  // As many as the daemon holds.
  return [...open.values()].slice(0, 50);
}

function tell() {
  for (const socket of listeners) socket.write(JSON.stringify({ questions: list() }) + '\\n');
}

function endOf(key) {
  return new Promise((done) => {
    const say = (kind) => {
      clearTimeout(timer);
      if (waiting.get(key) === say) waiting.delete(key);
      done(kind);
    };
    const timer = setTimeout(say, 3000);
    waiting.set(key, say);
  });
}

${findFrontSource}
const acts = {
  front: async () => ({ front: await findFront() }),
  list: async () => ({ questions: list(), front: await findFront() }),
  decide: async ({ key, decision }) => {
    const kind = kinds[decision];
    if (!kind) throw new Error('There is no such decision.');
    if (!open.has(key)) return { success: false };
    const ended = endOf(key);
    try {
      const { success } = await session.rpc.permissions.handlePendingPermissionRequest({
        requestId: key,
        result: { kind },
      });
      return success ? { success, ended: await ended } : { success: false };
    } catch (error) {
      // Copilot's own words, and whether it asks still: the daemon decides what they mean.
      const isOpen = (await look()) && open.has(key);
      return { error: String(error?.message ?? error), isOpen };
    }
  },
};

${writeServer(
  answersName,
  `
  listeners.add(socket);
  socket.on('close', () => listeners.delete(socket));`,
)}`;
