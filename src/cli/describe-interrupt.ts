import { userAgentId } from '../agents/agent.ts';
import { callName } from '../agents/reference.ts';
import type { InterruptView } from '../protocol/interrupt.ts';
import { inLine } from './output.ts';

/** What the end of a turn did, for the person who ended it. */
export function describeInterrupt(done: InterruptView, name: string): string {
  const { messages, waiting, waitsFor, hasAsked } = done;
  const told = messages.flatMap((message) => {
    const says = fates[message.fate];
    return says === undefined ? [] : [`${nameOf(message)} ${says(message)}.`];
  });
  const many = waiting === 1 ? '1 message waits' : `${waiting} messages wait`;
  const left = waiting === 0 ? [] : [`${many}${waitsFor === undefined ? '' : `: ${waitsFor}`}.`];
  const asked = hasAsked ? [askedThen] : [];
  return inLine([`${name} stopped.`, ...asked, ...told, ...left].join(' '));
}

const askedThen =
  'It was about to ask you something, which ended with its turn: nothing was allowed.';

type Held = InterruptView['messages'][number];

function nameOf({ id, short = id, from, kind, standing }: Held): string {
  const isOwn = from.id === userAgentId;
  const what = isOwn && standing === 'prompt' && kind === 'message' ? 'prompt' : kind;
  return isOwn ? `Your ${what} ${short}` : `The ${what} ${short} from ${callName(from)}`;
}

const fates: Readonly<Record<Held['fate'], ((message: Held) => string) | undefined>> = {
  'broken-off': () => 'was read, and its answer is broken off',
  'taken-back': () => 'was taken back',
  'put-back': () => 'stands in its composer again: send or delete it there',
  'taken-out': () => 'is out of its conversation, and goes in again after its next turn',
  'in-conversation': () => 'stays in its conversation, without an answer',
  // Counted with what waits.
  waits: undefined,
  'given-up': ({ state }) => `is ${state}`,
  unknown: ({ id, short = id }) =>
    `is not accounted for yet: \`signalbox explain ${short}\` will say what became of it`,
};
