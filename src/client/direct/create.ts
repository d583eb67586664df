import type { DirectClient } from '../client.ts';
import type { DirectContext } from './context.ts';

/**
 * Each request loads its own code: a `send` that is 10 ms quicker is noticed by people who send a
 * thousand.
 */
export function createDirectClient(context: DirectContext): DirectClient {
  const { caller } = context;
  return {
    caller: { id: caller.agent.id, name: caller.agent.name },
    findSession: async () => {
      const { findOwnSession } = await import('./name-agents.ts');
      return findOwnSession(context);
    },
    nameOf: async (agent) => {
      const { nameOf } = await import('./name-agents.ts');
      return nameOf(context, agent);
    },
    nameMessages: async (ids) => {
      if (ids.length === 0) return (id) => id;
      const { nameForPerson } = await import('./name-messages.ts');
      return nameForPerson(context, ids);
    },
    addAgent: async (wanted) => {
      const { addAgent } = await import('../../requests/add-agent.ts');
      return addAgent(context, caller, wanted);
    },
    listAgents: async (session) => {
      const { listAgents } = await import('../../requests/list-agents.ts');
      return (await listAgents(context, caller, { session })).agents;
    },
    showAgent: async (agent) => {
      const { showAgent } = await import('../../requests/show-agent.ts');
      return showAgent(context, caller, { agent });
    },
    selectAgents: async (which) => {
      const { selectAgents } = await import('./select-agents.ts');
      return (await selectAgents(context, which)).map(({ id }) => id);
    },
    removeAgents: async (which) =>
      (await import('./remove-agents.ts')).removeAgents(context, which),
    send: async (outgoing) => {
      const { send } = await import('../../requests/send.ts');
      return (await send(context, caller, { outgoing })).sent;
    },
    listInbox: async (agent, query) => {
      const { listInbox } = await import('../../requests/list-inbox.ts');
      return listInbox(context, caller, { agent, ...query });
    },
    show: async (id) => {
      const { lookAtMessage } = await import('../../requests/look-at-message.ts');
      return lookAtMessage(context, caller, { id });
    },
    showOut: async (id, wish) => {
      const { showMessage } = await import('../../requests/show-message.ts');
      return showMessage(context, caller, { id, ...wish });
    },
    drain: async (agent, { max, inParts = false }) => {
      const { drain, viewLetters } = await import('../../requests/drain.ts');
      const wish = { agent, max, ...(inParts ? { inParts: 'in-terminal' as const } : {}) };
      const { letters, agent: _, ...drained } = await drain(context, caller, wish);
      return { ...drained, messages: await viewLetters(context, letters) };
    },
    ack: async (ids) => (await import('../../requests/ack.ts')).ack(context, caller, { ids }),
    explain: async (id) => {
      const { explain } = await import('../../requests/explain.ts');
      return explain(context, caller, { id });
    },
    cancel: async (id) => {
      const { cancel } = await import('../../requests/cancel.ts');
      return cancel(context, caller, { id });
    },
    waitFor: async (id, state, timeoutMs) => {
      const { waitFor } = await import('../../requests/wait-for.ts');
      return (await waitFor(context, caller, { id, state, timeoutMs })).reached;
    },
    listDeadLetters: async (query) => {
      const { listDeadLetters } = await import('../../requests/list-dead-letters.ts');
      return listDeadLetters(context, caller, query);
    },
    retryDeadLetter: async (id) => {
      const { retryDeadLetter } = await import('../../requests/retry-dead-letter.ts');
      return retryDeadLetter(context, caller, { id });
    },
    discardDeadLetter: async (id) => {
      const { discardDeadLetter } = await import('../../requests/discard-dead-letter.ts');
      return discardDeadLetter(context, caller, { id });
    },
    doctor: async (options) => (await import('./doctor.ts')).doctor(context, options),
    close: async () => {
      if (context.hasWritten()) {
        const { retainInPassing } = await import('./retain.ts');
        await retainInPassing(context);
      }
      await context.ledger.close();
    },
  };
}
