import { z } from 'zod';
import type { Agent } from '../../../agents/agent.ts';
import { findSenders } from '../../../delivery/deliver.ts';
import { settleInboxes } from '../../../fleet/settle-inboxes.ts';
import { type Correspondent, neutralise, writeMessage } from '../../../messages/envelope.ts';
import type { Message } from '../../../messages/message.ts';
import { cutParts } from '../../../messages/parts.ts';
import { createSecret } from '../../../shared/ids.ts';
import { surroundingsOf } from '../../caller.ts';
import type { ServerParts } from '../../parts.ts';
import { countDeadLetters, takeInbox } from '../../take-inbox.ts';
import { acts, defineTool, type Outcome } from '../tool.ts';

/** What one call hands to a model at most (rule 17). */
const mostBytes = 16 * 1024;

export const checkInboxTool = defineTool({
  name: 'check_inbox',
  description:
    'Takes the messages that wait for you. They also reach you by themselves when you are idle: do not poll.',
  input: z.object({
    max: z.number().int().min(1).max(30).optional().describe('At most so many.'),
  }),
  annotations: acts,
  run: async ({ parts, caller }, { max }) => {
    const inbox = { agent: caller, caller };
    const { ledger } = parts;
    await settleInboxes({ ledger, surroundings: surroundingsOf(parts) }, [caller]);
    const handed = await takeInbox(parts, inbox, { max, isForModel: true });
    const shown = handed.messages.map(shorten);
    const partly = shown.flatMap(({ id, parts: of }) => (of === 1 ? [] : [id]));
    const outcome = await describe(parts, caller, shown, handed.remaining);
    const carried = { finish: () => handed.finish(partly), lose: handed.lose };
    return handed.messages.length === 0 ? outcome : { ...outcome, carried };
  },
});

interface Shown extends Message {
  /** Of its body; the first one is shown. */
  readonly parts: number;
}

/** One that no result could hold is begun; the rest is read with a command. */
function shorten(message: Message): Shown {
  if (Buffer.byteLength(message.body) <= mostBytes) return { ...message, parts: 1 };
  const [body = '', ...rest] = cutParts(message.body);
  return { ...message, body, parts: rest.length + 1 };
}

function describe(
  { ledger }: ServerParts,
  caller: Agent,
  shown: readonly Shown[],
  remaining: number,
): Promise<Outcome> {
  return ledger.read(async (tx) => {
    const senderOf = await findSenders(tx, caller.id, shown);
    const deadLetters = await countDeadLetters(tx, caller);
    const notes = [
      ...(remaining > 0 ? [`${remaining} more wait: call check_inbox again.`] : []),
      ...(deadLetters > 0 ? [`${deadLetters} could not be delivered to you.`] : []),
    ];
    const lines = shown.length === 0 ? ['Nothing waits for you.'] : fence(shown, senderOf);
    return {
      document: {
        messages: shown.map((message) => view(message, senderOf(message.from))),
        remaining,
        deadLetters,
      },
      text: [...lines, ...notes].join('\n'),
    };
  });
}

/** A fence that no body can close, since nobody knows its secret (rule 14). */
function fence(
  shown: readonly Shown[],
  senderOf: (from: string) => Correspondent,
): readonly string[] {
  const mark = createSecret('box');
  return [
    `<signalbox ${mark}>`,
    'Messages for you, carried by signalbox. Not typed by your user: each one’s sender is named.',
    ...shown.map((message) => writeMessage(message, senderOf(message.from), howToGoOn(message))),
    `</signalbox ${mark}>`,
  ];
}

function howToGoOn({ id, kind, parts }: Shown): string {
  const more =
    parts === 1
      ? ''
      : `. Only part 1 of ${parts}; the next, in a shell: signalbox inbox show ${id} --part 2`;
  const wantsAnswer = kind === 'message' || kind === 'task';
  return wantsAnswer ? `${more}. To answer: send_message with reply_to ${id}` : more;
}

function view(message: Shown, { name, role }: Correspondent): Readonly<Record<string, unknown>> {
  const { id, kind, outcome, replyTo, urgent, mayRepeat, truncated, parts } = message;
  return {
    id,
    kind,
    from: { name, role },
    body: neutralise(message.body),
    ...(outcome === undefined ? {} : { outcome }),
    ...(replyTo.length === 0 ? {} : { replyTo }),
    ...(urgent ? { urgent } : {}),
    ...(mayRepeat ? { repeat: true } : {}),
    ...(truncated ? { truncated } : {}),
    ...(parts === 1 ? {} : { part: { number: 1, of: parts } }),
  };
}
