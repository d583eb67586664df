import type { Agent } from '../../agents/agent.ts';
import { type Accepted, accept } from '../../delivery/accept.ts';
import { resolveAgent } from '../../fleet/resolve-agent.ts';
import { limits } from '../../messages/message.ts';
import type { SendResult } from '../../protocol/messages.ts';
import { reachFailPoint } from '../../shared/fail-point.ts';
import { Fault } from '../../shared/fault.ts';
import { formatSize, formatSpan } from '../../shared/units.ts';
import type { LedgerTransaction } from '../../store/ledger.ts';
import type { Outgoing } from '../client.ts';
import { type Context, requireUser } from './context.ts';

export async function send(context: Context, outgoing: Outgoing): Promise<SendResult> {
  const { ledger, surroundings, caller } = context;
  const { clock } = surroundings;
  checkBody(outgoing.body, context.settings['body-limit'].value);
  if (outgoing.key !== undefined) checkKey(outgoing.key);
  if (outgoing.ttlMs !== undefined) checkTtl(outgoing.ttlMs);
  if (outgoing.from !== undefined) requireUser(caller, 'send as somebody else');
  const { from, to } = await ledger.read(async (tx) => {
    const sender =
      outgoing.from === undefined ? caller : await resolveAgent(tx, outgoing.from, caller);
    return { from: sender, to: await resolveRecipient(tx, outgoing, sender, caller) };
  });
  const [accepted] = await accept(ledger, clock, [
    {
      kind: 'message',
      from: from.id,
      to: to.id,
      body: outgoing.body,
      urgent: outgoing.urgent ?? false,
      ...(outgoing.ttlMs === undefined ? {} : { expiresAt: clock.now() + outgoing.ttlMs }),
      ...(outgoing.replyTo === undefined ? {} : { replyTo: [outgoing.replyTo] }),
      ...(outgoing.key === undefined ? {} : { key: storedKey(outgoing.key) }),
    },
  ]);
  if (!accepted) throw new Error('one draft has one outcome');
  const result = toResult(accepted, outgoing, { id: to.id, name: to.name });
  await reachFailPoint('send.committed');
  context.hasWritten = true;
  if (to.backend !== 'none' && to.status !== 'exited') context.wantsDaemon = true;
  return result;
}

/**
 * A sender that was killed before it was answered asks again: it must hear what became of the first, even when the
 * recipient has been removed since (rule 33). Without that it would be told that nothing was sent, and then get a bounce.
 */
async function resolveRecipient(
  tx: LedgerTransaction,
  { to, key }: Outgoing,
  sender: Agent,
  caller: Agent,
): Promise<Agent> {
  try {
    return await resolveAgent(tx, to, caller);
  } catch (error) {
    if (key === undefined) throw error;
    const first = await tx.messages.findByKey(sender.id, storedKey(key));
    const recipient = first && (await tx.agents.find(first.to));
    if (recipient?.id === to || recipient?.name === to.normalize('NFC')) return recipient;
    throw error;
  }
}

/** Apart from the keys that completions make for themselves. */
function storedKey(key: string): string {
  return `key:${key}`;
}

function toResult(accepted: Accepted, outgoing: Outgoing, to: SendResult['to']): SendResult {
  switch (accepted.outcome) {
    case 'accepted':
    case 'duplicate': {
      const { id, state } = accepted.message;
      return { id, to, state, duplicate: accepted.outcome === 'duplicate' };
    }
    case 'key-conflict':
      throw new Fault(
        'key-conflict',
        `The key "${outgoing.key}" belongs to ${accepted.existing.id}, which has another recipient or body.`,
        'Use a new key for a new message, or repeat the old one unchanged.',
      );
    case 'recipient-gone':
      throw new Fault(
        'agent-not-found',
        `The agent "${to.name}" has just been removed; nothing was sent.`,
        'See `signalbox ls` for those that live.',
      );
    case 'sender-gone':
      throw new Fault(
        'agent-not-found',
        'The sender has been removed; nothing was sent.',
        'Unset SIGNALBOX_AGENT, or set it to an agent that lives.',
      );
    case 'reply-unknown':
      throw new Fault(
        'message-not-found',
        `There is no message ${accepted.id} to reply to; nothing was sent.`,
        'See `signalbox inbox list`, or leave --reply-to out.',
      );
    case 'reply-not-yours':
      throw new Fault(
        'not-allowed',
        `${accepted.id} is neither from nor to the sender; nothing was sent.`,
        'Reply to a message of your own, or leave --reply-to out.',
      );
  }
}

function checkBody(body: string, limit: number): void {
  if (body.length === 0) {
    throw new Fault('invalid-input', 'The message is empty.', 'Give a text, or --file.');
  }
  const bytes = Buffer.byteLength(body);
  if (bytes <= limit) return;
  throw new Fault(
    'body-too-large',
    `The message has ${formatSize(bytes)}; the limit is ${formatSize(limit)}. Nothing was sent.`,
    'Send the path of a file instead, or raise the limit with `signalbox config set body-limit`.',
  );
}

/** Ten years. A time so far away that no date can name it would make every later look into that inbox fail. */
const maxTtlMs = 3650 * 86_400_000;

function checkTtl(ms: number): void {
  if (ms <= maxTtlMs) return;
  throw new Fault(
    'invalid-input',
    `A time to live may be at most ${formatSpan(maxTtlMs)}; nothing was sent.`,
    'Leave --ttl out: without it nothing expires.',
  );
}

function checkKey(key: string): void {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
  if (key.length > 0 && Buffer.byteLength(key) <= limits.key && !/[\u0000-\u001f\u007f]/.test(key))
    return;
  throw new Fault(
    'invalid-input',
    `The key ${JSON.stringify(key.slice(0, 40))} cannot be used.`,
    `Use 1 to ${limits.key} bytes without control characters.`,
  );
}
