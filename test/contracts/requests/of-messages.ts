import { openStates } from '../../../src/messages/transitions.ts';
import { type Ask, everybody, nobody, type Row, userAlone } from './row.ts';
import type { Actor, Stage } from './stage.ts';

const readSent = ({ to, state, duplicate }: { to: { name: string } } & Record<string, unknown>) => [
  to.name,
  state,
  duplicate,
];

function send(
  wish: string,
  outgoing: Readonly<Record<string, unknown>>,
  expected: Row['expected'],
): Row {
  const { replyTo, from, ...same } = outgoing;
  // No tool sends as somebody else, and an empty text is one that the model has left out.
  const isOfTools = from === undefined && outgoing['body'] !== '';
  const tool: Ask = (stage, actor) =>
    stage.tool(actor, 'send_message', {
      ...same,
      ...(replyTo === undefined ? {} : { reply_to: replyTo }),
    });
  return {
    ...{ verb: 'send', wish, expected },
    command: (stage, actor) => stage.command(actor, (client) => client.send(outgoing as never)),
    // Nor does HTTP: the sender is whoever asks.
    ...(from === undefined
      ? { http: (stage, actor) => stage.http(actor, 'POST', '/messages', outgoing) }
      : {}),
    ...(isOfTools ? { tool } : {}),
    read: readSent,
  };
}

const messages: readonly Row[] = [
  send('to an agent', { to: 'peer', body: 'hello' }, everybody),
  send('urgent, to one that pulls', { to: 'puller', body: 'hello', urgent: true }, everybody),
  send('with a key', { to: 'peer', body: 'hello', key: 'k1' }, everybody),
  send('to an agent that is not there', { to: 'nobody', body: 'hello' }, nobody('agent-not-found')),
  send('to a name with a typo', { to: 'pear', body: 'hello' }, nobody('agent-not-found')),
  send('an empty text', { to: 'peer', body: '' }, nobody('invalid-input')),
  send('half a character', { to: 'peer', body: '\ud83d' }, nobody('invalid-input')),
  send('with a bad key', { to: 'peer', body: 'x', key: 'a\nb' }, nobody('invalid-input')),
  send(
    'in answer to a message that is not there',
    { to: 'peer', body: 'x', replyTo: 'msg_1' },
    nobody('message-not-found'),
  ),
  send('as another', { to: 'child', body: 'x', from: 'peer' }, userAlone),
  ...(['own', 'foreign', 'unknown'] as const).map(
    (which): Row => ({
      verb: 'ack',
      wish: `a message: ${which}`,
      command: (stage, actor) => stage.command(actor, (client) => client.ack([idOf(stage, which)])),
      http: (stage, actor) =>
        stage.http(actor, 'POST', '/messages/ack', { ids: [idOf(stage, which)] }),
      tool: (stage, actor) => stage.tool(actor, 'ack', { ids: [idOf(stage, which)] }),
      expected:
        which === 'unknown'
          ? nobody('message-not-found')
          : which === 'own'
            ? everybody
            : { ...everybody, agent: 'not-allowed' },
      read: (result) => (result.messages ?? result).map(({ state }: { state: string }) => state),
    }),
  ),
  ...(['own', 'sent', 'foreign', 'unknown'] as const).map(
    (which): Row => ({
      verb: 'explain',
      wish: `a message: ${which}`,
      command: (stage, actor) =>
        stage.command(actor, (client) => client.explain(idOf(stage, which))),
      http: (stage, actor) => stage.http(actor, 'GET', `/messages/${idOf(stage, which)}`),
      expected: onlyParty(which),
      // Only a daemon knows what it waits for.
      read: ({ waitsFor: _, waitsForCode: __, lacks: ___, ...story }) => story,
    }),
  ),
  ...(['own', 'sent', 'foreign', 'unknown'] as const).map(
    (which): Row => ({
      verb: 'cancel',
      wish: `a message: ${which}`,
      command: (stage, actor) =>
        stage.command(actor, (client) => client.cancel(idOf(stage, which))),
      http: (stage, actor) => stage.http(actor, 'POST', `/messages/${idOf(stage, which)}/cancel`),
      // An agent takes back only what it sent itself.
      expected:
        which === 'unknown'
          ? nobody('message-not-found')
          : { ...everybody, agent: which === 'sent' ? 'done' : 'not-allowed' },
    }),
  ),
  {
    verb: 'cancel',
    wish: 'a task that waits',
    command: (stage, actor) => stage.command(actor, (client) => client.cancel(stage.task)),
    http: (stage, actor) => stage.http(actor, 'POST', `/messages/${stage.task}/cancel`),
    expected: everybody,
    read: ({ outcome, message }) => [outcome, message.state, message.reason],
  },
  ...(['own', 'sent', 'foreign', 'unknown'] as const).map(
    (which): Row => ({
      verb: 'wait-for',
      wish: `a message: ${which}`,
      command: (stage, actor) =>
        stage.command(actor, (client) => client.waitFor(idOf(stage, which), 'seen', 0)),
      http: (stage, actor) =>
        stage.http(actor, 'GET', `/messages/${idOf(stage, which)}/wait?state=seen&timeoutMs=0`),
      expected: onlyParty(which),
      read: (result) => result.reached ?? result,
    }),
  ),
  ...(['own', 'foreign', 'unknown'] as const).map(
    (which): Row => ({
      verb: 'look-at-message',
      wish: `a message: ${which}`,
      command: (stage, actor) => stage.command(actor, (client) => client.show(idOf(stage, which))),
      expected: onlyParty(which),
    }),
  ),
  ...(['own', 'foreign', 'unknown'] as const).map(
    (which): Row => ({
      verb: 'show-message',
      wish: `a message: ${which}`,
      command: (stage, actor) =>
        stage.command(actor, async (client) => {
          const wish = { part: undefined, inParts: true };
          const { message, finish } = await client.showOut(idOf(stage, which), wish);
          await finish();
          return message;
        }),
      expected: onlyParty(which),
    }),
  ),
];

const inboxes: readonly Row[] = [
  ...['worker', 'peer', 'nobody'].map(
    (agent): Row => ({
      verb: 'list-inbox',
      wish: `of ${agent}`,
      command: (stage, actor) =>
        stage.command(actor, (client) =>
          client.listInbox(agent, { states: openStates, max: 1000 }),
        ),
      http: (stage, actor) => stage.http(actor, 'GET', `/agents/${agent}/inbox`),
      expected: ownOnly(agent),
    }),
  ),
  ...['worker', 'peer', 'nobody'].map(
    (agent): Row => ({
      verb: 'drain',
      wish: `of ${agent}`,
      command: (stage, actor) =>
        stage.command(actor, async (client) => {
          const { finish, lose: _, ...drained } = await client.drain(agent, {});
          await finish();
          return drained;
        }),
      http: (stage, actor) => stage.http(actor, 'POST', `/agents/${agent}/inbox/check`, {}),
      // The tool takes the caller's own.
      ...(agent === 'worker'
        ? { tool: (stage: Stage, actor: Actor) => stage.tool(actor, 'check_inbox') }
        : {}),
      expected: ownOnly(agent),
      read: ({ messages, remaining, deadLetters }) => ({
        bodies: messages.map(({ id, body }: { id: string; body: string }) => [id, body]),
        remaining,
        deadLetters,
      }),
    }),
  ),
];

const deadLetters: readonly Row[] = [
  {
    verb: 'list-dead-letters',
    wish: 'all',
    command: (stage, actor) =>
      stage.command(actor, (client) => client.listDeadLetters({ max: 10 })),
    expected: everybody,
  },
  ...(['retry', 'discard'] as const).map(
    (what): Row => ({
      verb: `${what}-dead-letter`,
      wish: 'one that is not dead',
      command: (stage, actor) =>
        stage.command(actor, (client) =>
          what === 'retry'
            ? client.retryDeadLetter(stage.messages.own)
            : client.discardDeadLetter(stage.messages.own),
        ),
      expected: { user: 'wrong-state', script: 'wrong-state', agent: 'not-allowed' },
    }),
  ),
];

export const ofMessages: readonly Row[] = [...messages, ...inboxes, ...deadLetters];

function idOf(stage: Stage, which: 'own' | 'sent' | 'foreign' | 'unknown'): string {
  return which === 'unknown' ? 'msg_unknown' : stage.messages[which];
}

function onlyParty(which: string): Row['expected'] {
  if (which === 'unknown') return nobody('message-not-found');
  return { ...everybody, agent: which === 'foreign' ? 'not-allowed' : 'done' };
}

function ownOnly(agent: string): Row['expected'] {
  if (agent === 'nobody') return nobody('agent-not-found');
  return { ...everybody, agent: agent === 'worker' ? 'done' : 'not-allowed' };
}
