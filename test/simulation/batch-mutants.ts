import type { Mutant } from './mutants.ts';

const unread = 'src/delivery/remind-unread.ts';

/** Of what comes in one text with others, or is only named. */
export const batchMutants: readonly Mutant[] = [
  {
    rule: '13',
    name: 'a body whose print was cut off comes again unmarked',
    file: 'src/delivery/letter.ts',
    from: 'mayRepeat: message.mayRepeat || known.length > 0, covers, of };',
    to: 'covers, of };',
  },
  {
    rule: '13',
    name: 'what was only named is not named again',
    file: unread,
    from: 'else await nameAgain(tx, now, unread);',
    to: '',
  },
  {
    rule: '13',
    name: 'the sender of what was not read is not told',
    file: unread,
    from: 'if (unread.isNamedAgain) await tellSender(tx, now, unread);',
    to: 'if (unread.isNamedAgain) continue;',
  },
  {
    rule: '13',
    name: 'a batch takes more than a text holds',
    file: 'src/messages/envelope.ts',
    from: 'return end < 0 ? messages.length : Math.max(1, end);',
    to: 'return Math.max(messages.length, end);',
  },
  {
    rule: '13',
    name: 'messages that a text could hold are only named',
    file: 'src/messages/envelope.ts',
    from: '  const most = envelopeBytes - fenceBytes;\n  // Neutralised',
    to: '  const most = 600;\n  // Neutralised',
  },
];
