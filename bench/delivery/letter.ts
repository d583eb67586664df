import { randomBytes } from 'node:crypto';
import { writeEnvelope } from '../../src/messages/envelope.ts';
import type { Message } from '../../src/messages/message.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { createId, createMark } from '../../src/shared/ids.ts';

/**
 * What goes into an agent by hand: the same text that delivery would write for this message, with a
 * mark that nobody knows.
 */
export function writeByHand(message: Pick<Message, 'body'> & Partial<Message>): string {
  const at = systemClock.now();
  const whole: Message = {
    id: createId('msg', at),
    seq: 1,
    number: 1,
    kind: 'message',
    from: 'user',
    to: 'agent',
    state: 'queued',
    truncated: false,
    urgent: false,
    createdAt: at,
    replyTo: [],
    answersTask: false,
    isQuiet: false,
    isScript: false,
    isPrompt: false,
    attempts: 0,
    notLanded: 0,
    reoffered: false,
    mayRepeat: false,
    wasTakenBack: false,
    ...message,
  };
  return writeEnvelope(createMark(), [whole], () => ({ name: 'user', role: 'user' })).text;
}

/** A word that stands nowhere else. */
export function createWord(): string {
  return `letter${randomBytes(5).toString('hex')}`;
}
